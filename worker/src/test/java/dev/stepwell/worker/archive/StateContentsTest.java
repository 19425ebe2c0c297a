package dev.stepwell.worker.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.worker.snapshot.Making;
import dev.stepwell.worker.snapshot.SessionVariables;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.PieceId;
import dev.stepwell.worker.workspace.Node;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked // Looks into what it knows to be there.
final class StateContentsTest {
  /** A table as the runner writes it, with one pack, a buffer of two pieces, and a circle. */
  private static final String TABLE =
      "535756317b750800000062696e64696e67737b75010000006e2801000000690300000075010000006d5b0100"
          + "000075010000006e750100000061690100000075010000006269020000007501000000636902000000750100"
          + "0000666903000000750100000078280100000067000000000000f83f30750a000000636f6d706f6e656e7473"
          + "7b69010000002809000000280100000075010000006128000000002801000000750300000066233175000000"
          + "007500000000280000000073170000008005950c000000000000005d945d94284b014b0265612e2800000000"
          + "7500000000690200000028090000002802000000750100000062750100000063280000000028000000007500"
          + "000000750000000028000000002803000000280200000069000000006901000000690a000000696400000028"
          + "0100000028030000002802000000690100000069020000006900000000690700080075000000006903000000"
          + "2809000000280100000075010000006628010000007503000000662331280100000075030000006723317501"
          + "0000007775040000006a736f6e280100000075080000003c7374657020313e28030000002802000000690000"
          + "00006901000000696e0000006932000000280000000075000000006904000000280900000028000000002801"
          + "0000007503000000672331280100000075030000006623317500000000750000000028000000007301000000"
          + "47280000000075000000003075070000006e6578745f696469050000007507000000706174636865737b7504"
          + "0000006a736f6e7b750500000064756d7073750300000066233130307507000000736f75726365737b307509"
          + "0000006c69627261726965737b750600000072616e646f6d7305000000737461746530750800000073657474"
          + "696e67737b75030000007365747b7505000000544f4b454e7506000000736563726574307505000000756e73"
          + "65745b010000007504000000484f4d45750b000000706174685f6265666f72655b00000000750a0000007061"
          + "74685f61667465725b0100000075020000002f787506000000666f6c6465724e75040000006d61736b4e750f"
          + "000000726563757273696f6e5f6c696d697469e80300003075050000006e6f7465737b30750c000000667574"
          + "7572655f666c616773690000000075050000007061636b735b0100000069000000007506000000707974686f"
          + "6e750e00000063707974686f6e2d332e31312e3230";

  private static final byte[] PACK = bytes(1, 200);
  private static final byte[] WHOLE = bytes(2, Piece.MAX_BYTES);
  private static final byte[] REST = bytes(3, 7);

  private final Map<String, byte[]> pieces = new HashMap<>();

  private static byte[] bytes(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private Piece piece(byte[] bytes) {
    PieceId id = PieceId.of(bytes);
    pieces.put(id.hex(), bytes);
    return new Piece(id, bytes.length, null);
  }

  private SnapshotCopy copy(byte[] body, byte[]... table) {
    SessionVariables variables =
        new SessionVariables(
            body, Arrays.stream(table).map(this::piece).toList(), List.of(), 1, 1, "i", null);
    TreeMap<String, Node> children = new TreeMap<>();
    children.put("a", new Node.File(0644, 5, REST.length, List.of(piece(REST))));
    children.put("l", new Node.Link("a"));
    Description description =
        new Description(
            new Making(4, "r", "COMPLETED", 1, 0),
            variables,
            new Node.Folder(0755, 0, children, null));
    return new SnapshotCopy(
        description.id(), 4, description.encode(), List.copyOf(description.pieces().keySet()));
  }

  private static byte[] table() {
    return HexFormat.of().parseHex(TABLE);
  }

  private StateContents contents(SnapshotCopy copy) throws Exception {
    return SnapshotArchive.contents(copy, pieces::get);
  }

  @Test
  void contents_areTold() throws Exception {
    StateContents contents = contents(copy(table(), PACK, WHOLE, REST));

    Map<String, String> variables = new TreeMap<>();
    contents.variables().forEach((name, item) -> variables.put(name, item.text()));
    assertThat(variables)
        .containsExactly(
            Map.entry("a", "list, 23 bytes"),
            Map.entry("b", "524395 bytes"),
            Map.entry("c", "524395 bytes"),
            Map.entry("f", "50 bytes"),
            Map.entry("m", "3"),
            Map.entry("n", "3"),
            Map.entry("x", "1.5"));
    assertThat(contents.variables().get("m")).isEqualTo(contents.variables().get("n"));
    assertThat(contents.variables().get("b")).isNotEqualTo(contents.variables().get("c"));
    assertThat(contents.settings().keySet())
        .containsExactlyInAnyOrder(
            "random",
            "patch json.dumps",
            "environment TOKEN",
            "environment HOME",
            "path after",
            "recursion limit",
            "python");
    assertThat(contents.settings().get("environment TOKEN").text()).isEqualTo("6 characters");
    assertThat(contents.files().get("a").text()).isEqualTo("file, 7 bytes, 0644");
    assertThat(contents.files().get("l").text()).isEqualTo("link to a");
  }

  @Test
  void digests_areOfTheBytes_howeverTheyAreCut() throws Exception {
    StateContents packed = contents(copy(table(), PACK, WHOLE, REST));
    // The same bytes for the spans, with other ones around them.
    byte[] otherPack = bytes(9, 200);
    System.arraycopy(PACK, 10, otherPack, 10, 150);
    byte[] half = Arrays.copyOf(WHOLE, 1000);
    byte[] otherHalf = new byte[WHOLE.length - 1000 + REST.length];
    System.arraycopy(WHOLE, 1000, otherHalf, 0, WHOLE.length - 1000);
    System.arraycopy(REST, 0, otherHalf, WHOLE.length - 1000, REST.length);

    assertThat(contents(copy(table(), otherPack, half, otherHalf)).variables())
        .isEqualTo(packed.variables());
  }

  @Test
  void whatAFunctionRefersTo_isPartOfIt() throws Exception {
    StateContents before = contents(copy(table(), PACK, WHOLE, REST));
    byte[] changed = PACK.clone();
    changed[115] ^= 1;
    StateContents after = contents(copy(table(), changed, WHOLE, REST));

    assertThat(after.variables().get("f")).isNotEqualTo(before.variables().get("f"));
    assertThat(after.variables().get("a")).isNotEqualTo(before.variables().get("a"));
    assertThat(after.settings().get("patch json.dumps"))
        .isNotEqualTo(before.settings().get("patch json.dumps"));
    assertThat(after.variables().get("b")).isEqualTo(before.variables().get("b"));
    assertThat(after.files()).isEqualTo(before.files());
  }

  @Test
  void piecesThatAreMissingOrOthers_areNamed() {
    SnapshotCopy copy = copy(table(), PACK, WHOLE, REST);
    assertThatThrownBy(() -> SnapshotArchive.contents(copy, id -> null))
        .isInstanceOf(ArchiveException.class)
        .hasMessageContaining(PieceId.of(PACK).hex());
    assertThatThrownBy(() -> SnapshotArchive.contents(copy, id -> new byte[200]))
        .isInstanceOf(ArchiveException.class)
        .hasMessageContaining("something else");
  }

  @Test
  void descriptions_comeBackAsTheyWere_andDamagedOnesAreRefused() throws Exception {
    SnapshotCopy copy = copy(table(), PACK, WHOLE, REST);
    Description description = Description.decode(copy.description());
    assertThat(description.encode()).isEqualTo(copy.description());
    assertThat(description.id()).isEqualTo(copy.id());

    Random random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = copy.description().clone();
      int at = random.nextInt(damaged.length);
      damaged[at] ^= (byte) (1 + random.nextInt(255));
      byte[] cut = random.nextInt(4) == 0 ? Arrays.copyOf(damaged, at) : damaged;
      try {
        Description.decode(cut);
      } catch (ArchiveException e) {
        assertThat(e.permanent()).isTrue();
      }
    }
  }

  /** Forged tables are told, or refused in one way; they end, and in little memory. */
  @Test
  void anyTable_isToldOrRefused() throws Exception {
    Random random = new Random(6);
    int told = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] forged = table();
      for (int change = random.nextInt(3); change >= 0; change--) {
        forged[random.nextInt(forged.length)] = (byte) random.nextInt(256);
      }
      try {
        contents(copy(forged, PACK, REST, REST));
        told++;
      } catch (ArchiveException e) {
        assertThat(e).hasMessageContaining("can't be told");
      }
    }
    assertThat(told).isPositive();
    assertThatThrownBy(() -> contents(copy(new byte[0xfff], PACK)))
        .isInstanceOf(ArchiveException.class);
  }
}
