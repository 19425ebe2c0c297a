package dev.stepwell.worker.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads where large snapshots are kept. Used by one thread, once. */
final class StoreReader {
  private static final Pattern S3 =
      Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/([A-Za-z0-9!_.*'()/-]*))?");
  private static final Pattern REGION = Pattern.compile("[a-z0-9-]{0,64}");

  private final Values values;

  StoreReader(Values values) {
    this.values = values;
  }

  /** The store, or null for none. */
  @Nullable StoreConfig read() {
    String store = values.text(WorkerSetting.OBJECT_STORE);
    if (store.isEmpty()) {
      return null;
    }
    Matcher s3 = S3.matcher(store);
    if (s3.matches()) {
      return s3(s3.group(1), s3.group(2) == null ? "" : s3.group(2));
    }
    if (!Path.of(store).isAbsolute()) {
      throw bad(
          WorkerSetting.OBJECT_STORE, store, "s3://BUCKET/PREFIX, an absolute path, or empty");
    }
    return new StoreConfig.Folder(Path.of(store));
  }

  private StoreConfig.S3 s3(String bucket, String prefix) {
    String endpoint = values.text(WorkerSetting.OBJECT_STORE_ENDPOINT);
    String region = values.text(WorkerSetting.OBJECT_STORE_REGION);
    if (!REGION.matcher(region).matches()) {
      throw bad(WorkerSetting.OBJECT_STORE_REGION, region, "a region's name, or empty");
    }
    String pathStyle =
        values.text(
            WorkerSetting.OBJECT_STORE_PATH_STYLE, () -> Boolean.toString(!endpoint.isEmpty()));
    return new StoreConfig.S3(
        bucket,
        prefix.replaceAll("^/+|/+$", ""),
        endpoint.isEmpty() ? null : address(endpoint),
        region.isEmpty() ? null : region,
        Boolean.parseBoolean(pathStyle),
        credentials());
  }

  private static URI address(String endpoint) {
    URI address;
    try {
      address = URI.create(endpoint);
    } catch (IllegalArgumentException e) {
      throw notAnAddress(endpoint);
    }
    boolean http = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
    if (!http || address.getHost() == null || address.getUserInfo() != null) {
      throw notAnAddress(endpoint);
    }
    return address;
  }

  private static ConfigException notAnAddress(String endpoint) {
    return bad(
        WorkerSetting.OBJECT_STORE_ENDPOINT, endpoint, "http://HOST:PORT, https://HOST, or empty");
  }

  private @Nullable Path credentials() {
    String file = values.text(WorkerSetting.OBJECT_STORE_CREDENTIALS_FILE);
    if (file.isEmpty()) {
      return null;
    }
    if (!Path.of(file).isAbsolute()) {
      throw bad(WorkerSetting.OBJECT_STORE_CREDENTIALS_FILE, file, "an absolute path, or empty");
    }
    return Path.of(file);
  }

  private static ConfigException bad(Setting setting, String value, String mustBe) {
    return ConfigException.badValue(setting.spec().key(), value, mustBe);
  }
}
