package dev.stepwell.worker.state.store;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/** Keeps objects in a bucket of a server that speaks the S3 protocol. Thread-safe. */
public final class S3Store implements ObjectStore {
  private static final int TRIES = 3;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final String DEFAULT_REGION = "us-east-1";

  /**
   * Where and how; immutable. Credentials are no part of it.
   *
   * @param bucket the bucket
   * @param prefix what objects' names begin with, without a slash at the end; may be empty
   * @param endpoint the server; null for Amazon's of the region
   * @param region the region; null for what the environment says, else us-east-1
   * @param pathStyle whether the bucket is named in the path
   * @param credentialsFile a file in the form of {@code ~/.aws/credentials}; null for where
   *     Amazon's tools look
   * @param time time for one object, repeated tries included
   */
  public record Settings(
      String bucket,
      String prefix,
      @Nullable URI endpoint,
      @Nullable String region,
      boolean pathStyle,
      @Nullable Path credentialsFile,
      Duration time) {}

  private final Settings settings;
  private final S3Client client;

  private S3Store(Settings settings, S3Client client) {
    this.settings = settings;
    this.client = client;
  }

  /**
   * Opens a store; nothing is asked of the server yet.
   *
   * @throws StoreException if the file of credentials can't be used
   */
  public static S3Store open(Settings settings) throws StoreException {
    Duration aTry = settings.time().dividedBy(TRIES);
    UrlConnectionHttpClient.Builder http =
        UrlConnectionHttpClient.builder().connectionTimeout(aTry).socketTimeout(aTry);
    var client =
        S3Client.builder()
            .httpClientBuilder(http)
            .region(Region.of(region(settings)))
            .credentialsProvider(credentials(settings.credentialsFile()))
            .forcePathStyle(settings.pathStyle())
            // Names say what is in objects, and servers differ in which checksums they know.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .serviceConfiguration(
                S3Configuration.builder()
                    .chunkedEncodingEnabled(false)
                    .expectContinueEnabled(false)
                    .build())
            .overrideConfiguration(
                ClientOverrideConfiguration.builder()
                    .apiCallTimeout(settings.time())
                    .apiCallAttemptTimeout(aTry)
                    .retryStrategy(
                        AwsRetryStrategy.standardRetryStrategy().toBuilder()
                            .maxAttempts(TRIES)
                            .build())
                    .build());
    if (settings.endpoint() != null) {
      client.endpointOverride(settings.endpoint());
    }
    return new S3Store(settings, client.build());
  }

  private static String region(Settings settings) {
    String region = settings.region();
    if (region == null) {
      region = System.getenv("AWS_REGION");
    }
    return region == null || region.isEmpty() ? DEFAULT_REGION : region;
  }

  private static AwsCredentialsProvider credentials(@Nullable Path file) throws StoreException {
    if (file == null) {
      return DefaultCredentialsProvider.builder().build();
    }
    ProfileFile profiles;
    try (InputStream content = Files.newInputStream(file)) {
      profiles = ProfileFile.builder().content(content).type(ProfileFile.Type.CREDENTIALS).build();
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Kind.DENIED, "the file of credentials can't be read: " + e, e);
    } catch (IllegalArgumentException e) {
      // What it says of the file may be what is in the file.
      throw new StoreException(
          StoreException.Kind.DENIED,
          file + " is not in the form of ~/.aws/credentials",
          new IOException("it can't be parsed"));
    }
    return ProfileCredentialsProvider.builder()
        .profileFile(profiles)
        .profileName("default")
        .build();
  }

  @Override
  public void put(String name, byte[] bytes) throws StoreException, InterruptedException {
    String key = key(name);
    try {
      client.putObject(
          request -> request.bucket(settings.bucket()).key(key), RequestBody.fromBytes(bytes));
    } catch (SdkException e) {
      throw failure("object %s can't be written".formatted(name), e);
    }
  }

  @Override
  public byte[] get(String name, int maxBytes) throws StoreException, InterruptedException {
    String key = key(name);
    try (ResponseInputStream<GetObjectResponse> object =
        client.getObject(request -> request.bucket(settings.bucket()).key(key))) {
      byte[] bytes = object.readNBytes(maxBytes);
      Long length = object.response().contentLength();
      if (length != null && length > maxBytes) {
        object.abort();
      }
      return bytes;
    } catch (NoSuchKeyException e) {
      throw new StoreException(
          StoreException.Kind.NOT_FOUND, "there is no object %s in %s".formatted(name, place()), e);
    } catch (SdkException e) {
      throw failure("object %s can't be read".formatted(name), e);
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Kind.UNAVAILABLE,
          "object %s can't be read from %s: %s".formatted(name, place(), e),
          e);
    }
  }

  private String key(String name) {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException("not an object's name: " + name);
    }
    return settings.prefix().isEmpty() ? name : settings.prefix() + "/" + name;
  }

  private String place() {
    return "s3://" + settings.bucket() + "/" + settings.prefix();
  }

  private StoreException failure(String what, SdkException cause) throws InterruptedException {
    if (cause instanceof AbortedException && Thread.interrupted()) {
      InterruptedException interrupted = new InterruptedException(what);
      interrupted.initCause(cause);
      throw interrupted;
    }
    boolean denied =
        cause instanceof SdkServiceException answer
            && (answer.statusCode() == FORBIDDEN || answer.statusCode() == UNAUTHORIZED);
    return new StoreException(
        denied ? StoreException.Kind.DENIED : StoreException.Kind.UNAVAILABLE,
        "%s (%s): %s".formatted(what, place(), cause.getMessage()),
        cause);
  }

  @Override
  public void close() {
    client.close();
  }
}
