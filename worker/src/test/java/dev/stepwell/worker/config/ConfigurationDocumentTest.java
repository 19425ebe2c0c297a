package dev.stepwell.worker.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds {@code docs/configuration.md} to the code. After a change of the table, write it anew by
 * {@code mvn -pl worker -am test -Dtest=ConfigurationDocumentTest -Dstepwell.writeDocuments
 * -Dsurefire.failIfNoSpecifiedTests=false} and review the difference.
 */
class ConfigurationDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "configuration.md");
  private static final String BEGIN = "<!-- generated from the code: begin -->\n";
  private static final String END = "<!-- generated from the code: end -->\n";

  @Test
  void tables_areTheCodes() throws IOException {
    String document = Files.readString(DOCUMENT);
    int begin = document.indexOf(BEGIN) + BEGIN.length();
    int end = document.indexOf(END);
    if (System.getProperty("stepwell.writeDocuments") != null) {
      document = document.substring(0, begin) + SettingsTable.markdown() + document.substring(end);
      Files.writeString(DOCUMENT, document);
      return;
    }
    assertThat(document.substring(begin, end))
        .as("the javadoc of this class says how to write %s anew", DOCUMENT)
        .isEqualTo(SettingsTable.markdown());
  }

  @Test
  void example_isAccepted() throws IOException {
    WorkerConfig config = WorkerConfig.parse(new StringReader(example()));

    assertThat(config.profiles().byName()).containsKeys("plain", "data", "geo");
    assertThat(config.kafka().clientProperties()).containsKey("security.protocol");
  }

  @Test
  void example_showsEverySettingOfTheWorker() throws IOException {
    String example = example();

    assertThat(WorkerSetting.values())
        .allSatisfy(each -> assertThat(example).contains(each.spec().key() + "="));
    assertThat(ProfileSetting.values())
        .allSatisfy(each -> assertThat(example).contains("." + each.spec().key() + "="));
  }

  @Test
  void exampleCommentedOutLines_areTheDefaults() throws IOException {
    Stream<String> defaults =
        Arrays.stream(WorkerSetting.values())
            .filter(each -> each.spec().fallback().literal() != null)
            .map(each -> "#" + each.spec().key() + "=" + each.spec().fallback().literal());

    assertThat(example().lines()).containsAll(defaults.toList());
  }

  private static String example() throws IOException {
    String document = Files.readString(DOCUMENT);
    String fence = "```properties\n";
    int begin = document.indexOf(fence) + fence.length();
    return document.substring(begin, document.indexOf("```", begin));
  }
}
