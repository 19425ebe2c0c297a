package dev.stepwell.worker.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeEditorTest {
  private static Node.Link link(String target) {
    return new Node.Link(target);
  }

  private static Map<String, String> links(Node.Folder tree) {
    SortedMap<String, String> found = new TreeMap<>();
    Trees.walk(
        tree,
        (path, node) -> found.put(path, node instanceof Node.Link at ? at.target() : "(folder)"));
    return found;
  }

  @Test
  void edits_leaveTheTreeThatTheyStartedFromAsItWas() throws Exception {
    TreeEditor first = new TreeEditor(Node.Folder.EMPTY);
    first.putDeep("a/b/c", link("1"));
    Node.Folder before = first.tree();
    TreeEditor editor = new TreeEditor(before);
    editor.put("a/b/c", link("2"));
    editor.put("a/d", link("3"));
    first.putDeep("a/late", link("4"));

    assertThat(links(before)).containsEntry("a/b/c", "1").doesNotContainKeys("a/d", "a/late");
    assertThat(links(editor.tree())).containsEntry("a/b/c", "2").containsEntry("a/d", "3");
  }

  @Test
  void untouchedTree_isTheSameObject() throws Exception {
    TreeEditor first = new TreeEditor(Node.Folder.EMPTY);
    first.putDeep("a/b", link("1"));
    Node.Folder tree = first.tree();
    TreeEditor editor = new TreeEditor(tree);

    assertThat(editor.remove("x/y")).isFalse();
    assertThat(editor.tree()).isSameAs(tree);
  }

  @Test
  void fileInPlaceOfAFolder_takesAllThatWasInIt_andBack() throws Exception {
    TreeEditor editor = new TreeEditor(Node.Folder.EMPTY);
    editor.putDeep("a/b", link("1"));
    editor.put("a", link("2"));
    assertThat(links(editor.tree())).isEqualTo(Map.of("a", "2"));

    editor.folder("a", 0700, 5);
    assertThat(links(editor.tree())).isEqualTo(Map.of("a", "(folder)"));
  }

  @Test
  void entryInAFile_isRefused() throws Exception {
    TreeEditor editor = new TreeEditor(Node.Folder.EMPTY);
    editor.put("a", link("/etc"));

    assertThatThrownBy(() -> editor.put("a/passwd", link("x")))
        .isInstanceOf(RefusedPathException.class)
        .hasMessageContaining("no folder");
    assertThat(links(editor.tree())).isEqualTo(Map.of("a", "/etc"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/etc/passwd", "a//b", "../x", "a/../b", ".", "a/.", "a/", "a\0b", "\uFFFD"})
  void pathThatLeavesTheWorkspaceOrIsNone_isRefused(String path) {
    assertThatThrownBy(() -> TreePath.parts(path)).isInstanceOf(RefusedPathException.class);
  }

  @Test
  void pathBeyondTheLimits_isRefused_andOneAtThemIsNot() throws Exception {
    assertThat(TreePath.parts("é".repeat(127) + "x")).hasSize(1);
    assertThatThrownBy(() -> TreePath.parts("é".repeat(128)))
        .isInstanceOf(RefusedPathException.class)
        .hasMessageContaining("255");
    assertThat(TreePath.parts("d/".repeat(63) + "f")).hasSize(64);
    assertThatThrownBy(() -> TreePath.parts("d/".repeat(64) + "f"))
        .isInstanceOf(RefusedPathException.class)
        .hasMessageContaining("64");
    assertThatThrownBy(() -> TreePath.parts("abcdefghi/".repeat(410)))
        .isInstanceOf(RefusedPathException.class)
        .hasMessageContaining("4096");
  }

  @Test
  void randomEdits_agreeWithAPlainMap() throws Exception {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      SortedMap<String, String> model = new TreeMap<>();
      Node.Folder tree = Node.Folder.EMPTY;
      TreeEditor editor = new TreeEditor(tree);
      for (int i = 0; i < 40; i++) {
        String path = path(random);
        String value = Integer.toString(i);
        switch (random.nextInt(5)) {
          case 0, 1 -> {
            if (belowALink(model, path)) {
              TreeEditor tried = editor;
              assertThatThrownBy(() -> tried.putDeep(path, link(value)))
                  .isInstanceOf(RefusedPathException.class);
            } else {
              editor.putDeep(path, link(value));
              put(model, path, value);
            }
          }
          case 2 -> {
            editor.remove(path);
            removeAll(model, path);
          }
          case 3 -> {
            String parent = path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : "";
            if (parent.isEmpty() || "(folder)".equals(model.get(parent))) {
              editor.folder(path, 0750, i);
              if (!"(folder)".equals(model.get(path))) {
                model.put(path, "(folder)");
              }
            }
          }
          default -> {
            tree = editor.tree();
            editor = new TreeEditor(tree);
          }
        }
      }
      assertThat(links(editor.tree())).as("seed %d", seed).isEqualTo(model);
    }
  }

  private static String path(Random random) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      parts.add(String.valueOf((char) ('a' + random.nextInt(3))));
    }
    return String.join("/", parts);
  }

  private static boolean belowALink(SortedMap<String, String> model, String path) {
    for (int at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      String above = model.get(path.substring(0, at));
      if (above != null && !above.equals("(folder)")) {
        return true;
      }
    }
    return false;
  }

  private static void put(SortedMap<String, String> model, String path, String value) {
    for (int at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      model.put(path.substring(0, at), "(folder)");
    }
    removeAll(model, path);
    model.put(path, value);
  }

  private static void removeAll(SortedMap<String, String> model, String path) {
    model.keySet().removeIf(key -> key.equals(path) || key.startsWith(path + "/"));
  }
}
