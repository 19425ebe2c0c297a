package dev.stepwell.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.stepwell.protocol.Bytes;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.FileInput;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import dev.stepwell.protocol.WorkspaceEntry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class SessionFilesTest {
  private static final int RANGE = SessionOperation.MAX_CONTENT_BYTES;
  private static final int MAX_REQUEST = 100_000;

  private final FakeTransport transport = new FakeTransport();
  private final ScriptedSessions worker = new ScriptedSessions(transport);
  private final Session session =
      new Stepwell(
              Stepwell.builder("fake:0").maxRequestBytes(MAX_REQUEST).maxInFlight(4).options(),
              transport)
          .open()
          .session("s");

  @Test
  void file_isPutUnderTheSessionsKey() {
    worker.on(SessionOperation.PutFiles.class, ScriptedSessions.DONE);
    session.files().put("in/a.csv", utf8("a,b"));
    assertThat(worker.asked(SessionOperation.PutFiles.class))
        .containsExactly(
            new SessionOperation.PutFiles(
                List.of(new FileInput("in/a.csv", Bytes.of(utf8("a,b")), null))));
    assertThat(transport.drain()).extracting(Transport.OutgoingMessage::key).containsExactly("s");
  }

  @Test
  void filesThatFitIntoOneMessage_goTogether() {
    worker.on(SessionOperation.PutFiles.class, ScriptedSessions.DONE);
    session.files().put(Map.of("a", utf8("1"), "b", utf8("2")));
    assertThat(worker.asked(SessionOperation.PutFiles.class))
        .singleElement()
        .satisfies(put -> assertThat(put.files()).hasSize(2));
  }

  @Test
  void filesThatDoNotFitIntoOneMessage_goInSeveralWithinTheLimit() {
    worker.on(SessionOperation.PutFiles.class, ScriptedSessions.DONE);
    List<FileInput> files =
        IntStream.range(0, 2500)
            .mapToObj(i -> new FileInput("ü\u0001" + i, Bytes.of(new byte[size(i)]), null))
            .toList();
    session.files().put(files);
    assertThat(worker.asked(SessionOperation.PutFiles.class))
        .flatExtracting(SessionOperation.PutFiles::files)
        .containsExactlyElementsOf(files);
    assertThat(transport.drain())
        .hasSizeGreaterThan(2500 * 200 * 4 / 3 / MAX_REQUEST)
        .allSatisfy(message -> assertThat(message.value().length).isLessThan(MAX_REQUEST));
  }

  /** A large one among many small ones. */
  private static int size(int number) {
    return number % 100 == 0 ? 40_000 : number % 400;
  }

  @Test
  void manySmallFiles_goInLotsOfAThousand() {
    assertThat(
            FileInputs.lots(
                IntStream.range(0, 2001)
                    .mapToObj(i -> new FileInput("f" + i, Bytes.EMPTY, null))
                    .toList(),
                8 << 20))
        .extracting(List::size)
        .containsExactly(1000, 1000, 1);
  }

  @Test
  void fileThatFitsIntoNoMessage_isRefusedBeforeAnythingIsSent() {
    assertThatThrownBy(
            () ->
                session
                    .files()
                    .put(
                        List.of(
                            new FileInput("small", Bytes.EMPTY, null),
                            new FileInput("large", Bytes.of(new byte[75_000]), null))))
        .isInstanceOf(MessageTooLargeException.class)
        .hasMessageContaining("limit of " + MAX_REQUEST);
    assertThat(transport.drain()).isEmpty();
  }

  @Test
  void noFiles_areNoRequest() {
    session.files().put(Map.of());
    assertThat(transport.drain()).isEmpty();
  }

  @Test
  void pathOutsideTheWorkspace_isRefusedAndNotSent() {
    assertThatThrownBy(() -> session.files().put("../a", utf8("")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("operation.files[0].path");
    assertThatThrownBy(() -> session.files().get("/etc/passwd"))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("operation.path");
    assertThat(transport.drain()).isEmpty();
  }

  @Test
  void refusedFile_isNamedSo() {
    worker.reject(SessionOperation.PutFiles.class, ErrorCode.FILE_REFUSED);
    assertThatThrownBy(() -> session.files().put("a", utf8("")))
        .isInstanceOf(FileRefusedException.class);
  }

  @Test
  void paths_areRemovedTogether() {
    worker.on(SessionOperation.RemoveFiles.class, ScriptedSessions.DONE);
    session.files().remove("a", "b/c");
    assertThat(worker.asked(SessionOperation.RemoveFiles.class))
        .containsExactly(new SessionOperation.RemoveFiles(List.of("a", "b/c")));
  }

  @Test
  void largeFile_comesWholeOutOfTheStateOfItsFirstRange() {
    byte[] content = new byte[11 * RANGE + 1];
    new Random(7).nextBytes(content);
    worker.on(SessionOperation.GetFile.class, request -> range(request, content, sha256(content)));
    assertThat(session.files().get("big")).isEqualTo(content);
    List<SessionRequest> asked = worker.asked();
    assertThat(asked).hasSize(12);
    assertThat(asked.get(0).sessionId()).isEqualTo("s");
    assertThat(asked.subList(1, 12))
        .allSatisfy(
            request -> {
              assertThat(request.sessionId()).isNull();
              assertThat(((SessionOperation.GetFile) request.operation()).base()).isEqualTo("ref");
            });
  }

  @Test
  void fileOfWholeRanges_isAskedForNoMore() {
    byte[] content = new byte[2 * RANGE];
    worker.on(SessionOperation.GetFile.class, request -> range(request, content, null));
    assertThat(session.files().get("even")).isEqualTo(content);
    assertThat(worker.asked()).hasSize(2);
  }

  @Test
  void emptyFile_isNoBytes() {
    worker.on(
        SessionOperation.GetFile.class, request -> range(request, new byte[0], sha256(utf8(""))));
    assertThat(session.files().get("empty")).isEmpty();
  }

  @Test
  void contentThatIsNotWhatItsHashSays_isUnreadable() {
    worker.on(
        SessionOperation.GetFile.class, request -> range(request, utf8("x"), sha256(utf8("y"))));
    assertThatThrownBy(() -> session.files().get("a"))
        .isInstanceOf(UnreadableResultException.class)
        .hasMessageContaining(sha256(utf8("x")))
        .hasMessageContaining(sha256(utf8("y")));
  }

  @Test
  void rangeThatIsTooShort_isUnreadable() {
    byte[] content = new byte[RANGE + 10];
    worker.on(
        SessionOperation.GetFile.class,
        request -> {
          SessionAnswer.Content whole = range(request, content, null);
          return whole.offset() == 0
              ? whole
              : new SessionAnswer.Content("ref", whole.entry(), whole.offset(), Bytes.EMPTY);
        });
    assertThatThrownBy(() -> session.files().get("a"))
        .isInstanceOf(UnreadableResultException.class);
  }

  @Test
  void missingFile_isNamedSo() {
    worker.reject(SessionOperation.GetFile.class, ErrorCode.FILE_NOT_FOUND);
    assertThatThrownBy(() -> session.files().get("a")).isInstanceOf(FileMissingException.class);
  }

  @Test
  void list_isReadToItsEndOutOfOneState() {
    worker.on(SessionOperation.ListFiles.class, SessionFilesTest::page);
    assertThat(session.files().list("f"))
        .extracting(WorkspaceEntry::path)
        .containsExactly("f0", "f1", "f2");
    assertThat(worker.asked())
        .extracting(SessionRequest::sessionId)
        .containsExactly("s", null, null);
    assertThat(worker.asked(SessionOperation.ListFiles.class))
        .containsExactly(
            new SessionOperation.ListFiles("f", null, 1000, null),
            new SessionOperation.ListFiles("f", "f0", 1000, "ref"),
            new SessionOperation.ListFiles("f", "f1", 1000, "ref"));
  }

  /** One of three files. */
  private static SessionAnswer page(SessionRequest request) {
    String after = ((SessionOperation.ListFiles) request.operation()).after();
    int next = after == null ? 0 : Integer.parseInt(after.substring(1)) + 1;
    return new SessionAnswer.Files("ref", List.of(entry("f" + next, 0, null)), next < 2);
  }

  @Test
  void filesOfAView_areReadWithoutItsSession() {
    worker
        .on(SessionOperation.Locate.class, request -> new SessionAnswer.Located("old", 1))
        .on(SessionOperation.GetFile.class, request -> range(request, utf8("was"), null))
        .on(
            SessionOperation.ListFiles.class,
            request -> new SessionAnswer.Files("old", List.of(), false));
    WorkspaceFiles files = session.at(1).files();
    assertThat(files.get("a")).isEqualTo(utf8("was"));
    assertThat(files.list()).isEmpty();
    assertThat(worker.asked().subList(1, 3))
        .extracting(SessionRequest::sessionId, SessionRequest::operation)
        .containsExactly(
            tuple(null, new SessionOperation.GetFile("a", 0, RANGE, "old")),
            tuple(null, new SessionOperation.ListFiles("", null, 1000, "old")));
  }

  private static SessionAnswer.Content range(
      SessionRequest request, byte[] file, @Nullable String sha256) {
    SessionOperation.GetFile get = (SessionOperation.GetFile) request.operation();
    int from = (int) get.offset();
    byte[] content = Arrays.copyOfRange(file, from, Math.min(file.length, from + get.length()));
    return new SessionAnswer.Content(
        "ref", entry(get.path(), file.length, sha256), from, Bytes.of(content));
  }

  private static WorkspaceEntry entry(String path, long bytes, @Nullable String sha256) {
    return new WorkspaceEntry(path, WorkspaceEntry.Kind.FILE, 0644, bytes, 0, sha256, null);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
