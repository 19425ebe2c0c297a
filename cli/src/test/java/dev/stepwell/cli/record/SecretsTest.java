package dev.stepwell.cli.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretsTest {
  private final Secrets secrets = new Secrets(List.of("dsn"), List.of("given-to-me"));

  private Secrets.Cleaned request(String message) {
    return secrets.request(message.getBytes(UTF_8));
  }

  private String requestText(String message) {
    return new String(request(message).message(), UTF_8);
  }

  private String result(String message) {
    return new String(secrets.result(message.getBytes(UTF_8)), UTF_8);
  }

  private static String withVariable(String name, String value) {
    return "{\"requestId\":\"r\",\"environment\":{\"%s\":\"%s\",\"LANG\":\"C.UTF-8\"}}"
        .formatted(name, value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "API_KEY",
        "github_token",
        "MY_SECRET_1",
        "DbPassword",
        "PASSWD",
        "CREDENTIALS",
        "AUTH",
        "COOKIE",
        "PRIVATE",
        "SENTRY_DSN"
      })
  void variableOfASecretName_losesItsValueAndIsNamed(String name) {
    Secrets.Cleaned cleaned = request(withVariable(name, "hunter2hunter2"));

    assertThat(cleaned.withheld()).containsExactly(name);
    assertThat(new String(cleaned.message(), UTF_8))
        .isEqualTo(withVariable(name, "[withheld " + name + "]"));
    assertThat(secrets.values()).isEqualTo(1);
  }

  @Test
  void messageWithoutSecrets_staysAsItIs() {
    String message = "{ \"requestId\" : \"r\", \"n\":1.50e3, \"environment\":{\"LANG\":\"C\"}}";
    assertThat(requestText(message)).isEqualTo(message);
    assertThat(request(message).withheld()).isEmpty();
    assertThat(result(message)).isEqualTo(message);
  }

  @Test
  void valueOfASecret_isTakenOutOfEverythingLater() {
    request(withVariable("API_KEY", "hunter2hunter2"));

    assertThat(requestText("{\"source\":\"login('hunter2hunter2')\",\"n\":1.50}"))
        .isEqualTo("{\"source\":\"login('[withheld API_KEY]')\",\"n\":1.50}");
    assertThat(
            result(
                "{\"stdout\":\"a hunter2hunter2 b hunter2hunter2\",\"exception\":{\"traceback\":\"\\u0068unter2hunter2\"}}"))
        .isEqualTo(
            "{\"stdout\":\"a [withheld API_KEY] b [withheld API_KEY]\",\"exception\":{\"traceback\":\"[withheld API_KEY]\"}}");
    assertThat(secrets.isIn("...hunter2hunter2...".getBytes(UTF_8))).isTrue();
    assertThat(secrets.isIn("...hunter2hunter...".getBytes(UTF_8))).isFalse();
  }

  @Test
  void valueThatIsLearnt_isTakenOutOfWhatComesBeforeItsVariable() {
    secrets.learn(withVariable("API_KEY", "hunter2hunter2").getBytes(UTF_8));
    secrets.learn("no json".getBytes(UTF_8));

    assertThat(requestText("{\"source\":\"login('hunter2hunter2')\"}"))
        .isEqualTo("{\"source\":\"login('[withheld API_KEY]')\"}");
    assertThat(secrets.values()).isZero();
    assertThat(request(withVariable("API_KEY", "hunter2hunter2")).withheld()).hasSize(1);
    assertThat(secrets.values()).isEqualTo(1);
  }

  @Test
  void valueThatIsGiven_isTakenOutOfEverything() {
    assertThat(requestText("{\"source\":\"login('given-to-me')\"}"))
        .isEqualTo("{\"source\":\"login('[withheld]')\"}");
    assertThat(result("{\"stdout\":\"given-to-me\"}")).isEqualTo("{\"stdout\":\"[withheld]\"}");
  }

  @Test
  void valueThatJsonEscapes_isFoundInJsonWithinTexts() {
    request(withVariable("API_KEY", "a\\\"b\\\\c\\nd€"));

    assertThat(result("{\"stdout\":\"<a\\\"b\\\\c\\nd€>\"}"))
        .isEqualTo("{\"stdout\":\"<[withheld API_KEY]>\"}");
    // What json.dumps prints of it, with and without ensure_ascii.
    assertThat(result("{\"stdout\":\"<a\\\\\\\"b\\\\\\\\c\\\\nd€>\"}"))
        .isEqualTo("{\"stdout\":\"<[withheld API_KEY]>\"}");
    assertThat(result("{\"stdout\":\"<a\\\\\\\"b\\\\\\\\c\\\\nd\\\\u20ac>\"}"))
        .isEqualTo("{\"stdout\":\"<[withheld API_KEY]>\"}");
  }

  @Test
  void contentsOfFiles_areLookedInto() {
    request(withVariable("API_KEY", "hunter2hunter2"));
    String content = Base64.getEncoder().encodeToString("key=hunter2hunter2\n".getBytes(UTF_8));
    String cleaned = Base64.getEncoder().encodeToString("key=[withheld API_KEY]\n".getBytes(UTF_8));

    assertThat(requestText("{\"files\":[{\"path\":\"a\",\"content\":\"" + content + "\"}]}"))
        .isEqualTo("{\"files\":[{\"path\":\"a\",\"content\":\"" + cleaned + "\"}]}");
    assertThat(result("{\"value\":{\"mime\":{\"application/x\":\"" + content + "\"}}}"))
        .contains(cleaned);
  }

  @Test
  void shortValue_isTakenOutOfItsVariableAlone() {
    assertThat(requestText(withVariable("API_KEY", "12345"))).contains("[withheld API_KEY]");
    assertThat(result("{\"stdout\":\"12345\"}")).contains("12345");
  }

  @Test
  void ofSecretsThatBeginAlike_theLongestCounts() {
    request(withVariable("A_KEY", "prefix"));
    request(withVariable("B_KEY", "prefix-longer"));
    request(withVariable("C_KEY", "prefix-long"));

    assertThat(result("{\"stdout\":\"prefix-longer prefix-long! prefix-lo\"}"))
        .isEqualTo("{\"stdout\":\"[withheld B_KEY] [withheld C_KEY]! [withheld A_KEY]-lo\"}");
  }

  @Test
  void messageThatIsNoJson_isWithheldWhereItNamesASecret() {
    assertThat(requestText("{\"environment\":{\"api_key\":\"hunter2\"}")).isEqualTo("[withheld]");
    assertThat(requestText("no json")).isEqualTo("no json");
    request(withVariable("API_KEY", "hunter2hunter2"));
    assertThat(requestText("no hunter2hunter2")).isEqualTo("no [withheld API_KEY]");
  }

  @Test
  void manySecrets_areAllFoundWhereverTheyAre() {
    Random random = new Random(5);
    for (int i = 0; i < 2000; i++) {
      request(withVariable("KEY", "value-" + random.nextInt(1 << 30) + "-" + i));
    }
    random = new Random(5);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      text.append("value-").append(random.nextInt(1 << 30)).append('-').append(i).append(' ');
    }
    assertThat(result("{\"stdout\":\"" + text + "\"}")).doesNotContain("value-");
  }
}
