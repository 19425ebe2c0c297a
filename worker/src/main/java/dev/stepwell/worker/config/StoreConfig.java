package dev.stepwell.worker.config;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where large snapshots are kept; immutable. */
public sealed interface StoreConfig {
  /**
   * A folder that all workers share.
   *
   * @param root an absolute path
   */
  record Folder(Path root) implements StoreConfig {}

  /**
   * A bucket of a server that speaks the S3 protocol.
   *
   * @param bucket its name
   * @param prefix what the names of objects begin with, without a slash at either end; may be empty
   * @param endpoint the server's address; null for Amazon's of the region
   * @param region the region; null for what the environment says
   * @param pathStyle whether the bucket is named in the path rather than in the host name
   * @param credentialsFile a file in the form of {@code ~/.aws/credentials}; null for where
   *     Amazon's tools look
   */
  record S3(
      String bucket,
      String prefix,
      @Nullable URI endpoint,
      @Nullable String region,
      boolean pathStyle,
      @Nullable Path credentialsFile)
      implements StoreConfig {}
}
