package dev.stepwell.worker.workspace;

import dev.stepwell.worker.state.Bundle;
import dev.stepwell.worker.state.Decoder;
import dev.stepwell.worker.state.Encoder;
import dev.stepwell.worker.state.Location;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.PieceId;
import dev.stepwell.worker.state.Place;
import dev.stepwell.worker.state.SnapshotException;
import dev.stepwell.worker.state.Stored;
import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Writes folders down, each as an object under the hash of all that is in it, and reads them. */
public final class FolderCodec {
  private static final int FILE = 'f';
  private static final int LINK = 'l';
  private static final int FOLDER = 'd';

  private FolderCodec() {}

  /** Where folders are read from. */
  @FunctionalInterface
  public interface Source {
    /**
     * Reads an object.
     *
     * @throws SnapshotException if it can't be had
     */
    byte[] read(Stored stored) throws SnapshotException, InterruptedException;
  }

  /**
   * Writes down the folders of a tree that are not yet.
   *
   * @param placed gives each piece with its location
   * @return the same tree, with all its places known, those of this bundle relative to it
   */
  public static Node.Folder write(Node.Folder folder, UnaryOperator<Piece> placed, Bundle bundle) {
    if (folder.stored() != null) {
      return folder;
    }
    SortedMap<String, Node> children = new TreeMap<>();
    folder.children().forEach((name, node) -> children.put(name, writeChild(node, placed, bundle)));
    Encoder object = Encoder.into(bundle);
    encode(children, object);
    Stored stored = bundle.add(id(children), object.toByteArray());
    return new Node.Folder(folder.mode(), folder.mtimeNs(), children, stored);
  }

  private static Node writeChild(Node node, UnaryOperator<Piece> placed, Bundle bundle) {
    if (node instanceof Node.Folder folder) {
      return write(folder, placed, bundle);
    }
    if (node instanceof Node.File file) {
      return new Node.File(
          file.mode(), file.mtimeNs(), file.bytes(), file.content().stream().map(placed).toList());
    }
    return node;
  }

  private static PieceId id(SortedMap<String, Node> children) {
    Encoder content = Encoder.ofContent();
    encode(children, content);
    return content.id();
  }

  private static void encode(SortedMap<String, Node> children, Encoder out) {
    out.integer(children.size());
    children.forEach(
        (name, node) -> {
          if (node instanceof Node.File file) {
            out.tag(FILE).text(name).integer(file.mode()).number(file.mtimeNs());
            out.number(file.bytes()).pieces(file.content());
          } else if (node instanceof Node.Link link) {
            out.tag(LINK).text(name).text(link.target());
          } else if (node instanceof Node.Folder folder) {
            out.tag(FOLDER).text(name).integer(folder.mode()).number(folder.mtimeNs());
            out.stored(Objects.requireNonNull(folder.stored(), "inner folders are written first"));
          }
        });
  }

  /** The same tree once its bundle has a place: everything in it told absolutely. */
  public static Node.Folder resolve(Node.Folder folder, Place place) {
    Stored stored = folder.stored();
    if (stored == null || place.resolve(stored).equals(stored)) {
      // What is older than the bundle refers to nothing in it.
      return folder;
    }
    SortedMap<String, Node> children = new TreeMap<>();
    folder.children().forEach((name, node) -> children.put(name, resolve(node, place)));
    return new Node.Folder(folder.mode(), folder.mtimeNs(), children, place.resolve(stored));
  }

  private static Node resolve(Node node, Place place) {
    if (node instanceof Node.Folder folder) {
      return resolve(folder, place);
    }
    if (node instanceof Node.File file) {
      List<Piece> content = file.content().stream().map(place::resolve).toList();
      return new Node.File(file.mode(), file.mtimeNs(), file.bytes(), content);
    }
    return node;
  }

  /**
   * Reads a tree.
   *
   * @throws SnapshotException if a folder can't be had, or is damaged
   */
  public static Node.Folder read(Stored root, Source source)
      throws SnapshotException, InterruptedException {
    Node.Folder none = Node.Folder.EMPTY;
    return read(none.mode(), none.mtimeNs(), root, source, TreePath.MAX_DEPTH);
  }

  private static Node.Folder read(
      int mode, long mtimeNs, Stored stored, Source source, int depthLeft)
      throws SnapshotException, InterruptedException {
    byte[] object = source.read(stored);
    List<Reference> folders = new ArrayList<>();
    SortedMap<String, Node> children;
    try {
      children = decode(new Decoder(object, stored.at()), folders);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw damaged(stored, e);
    }
    for (Reference inner : folders) {
      if (depthLeft == 0) {
        throw damaged(stored, null);
      }
      children.put(
          inner.name(), read(inner.mode(), inner.mtimeNs(), inner.stored(), source, depthLeft - 1));
    }
    if (!id(children).equals(stored.id())) {
      throw damaged(stored, null);
    }
    return new Node.Folder(mode, mtimeNs, children, stored);
  }

  /** A folder in a folder, not read yet. */
  private record Reference(String name, int mode, long mtimeNs, Stored stored) {}

  private static SortedMap<String, Node> decode(Decoder in, List<Reference> folders) {
    SortedMap<String, Node> children = new TreeMap<>();
    int count = in.integer();
    for (int i = 0; i < count; i++) {
      int kind = in.tag();
      String name = in.text();
      switch (kind) {
        case FILE ->
            children.put(name, new Node.File(in.integer(), in.number(), in.number(), in.pieces()));
        case LINK -> children.put(name, new Node.Link(in.text()));
        case FOLDER -> folders.add(new Reference(name, in.integer(), in.number(), in.stored()));
        default -> throw new IllegalArgumentException("an entry of kind " + kind);
      }
    }
    return children;
  }

  private static SnapshotException damaged(Stored stored, @Nullable Throwable cause) {
    return new SnapshotException("folder " + stored.id().hex() + " is damaged", cause, true);
  }

  /** The name of a folder: the hash of all that is in it. */
  public static PieceId id(Node.Folder folder) {
    if (folder.stored() != null) {
      return folder.stored().id();
    }
    // A reference to a folder says its name alone, so this stands in for where it will lie.
    SortedMap<String, Node> children = new TreeMap<>();
    folder
        .children()
        .forEach(
            (name, node) -> children.put(name, node instanceof Node.Folder f ? named(f) : node));
    return id(children);
  }

  private static Node.Folder named(Node.Folder folder) {
    Location.InTopic nowhere = new Location.InTopic(0, 0, 1, 0, 0);
    return folder.writtenDown(new Stored(id(folder), 0, nowhere));
  }

  /** The pieces of the files in folders that are not written down, in the order of paths. */
  public static List<Piece> unwrittenPieces(Node.Folder folder) {
    List<Piece> pieces = new ArrayList<>();
    collect(folder, pieces);
    return pieces;
  }

  private static void collect(Node.Folder folder, List<Piece> into) {
    if (folder.stored() != null) {
      return;
    }
    for (Node node : folder.children().values()) {
      if (node instanceof Node.File file) {
        into.addAll(file.content());
      } else if (node instanceof Node.Folder inner) {
        collect(inner, into);
      }
    }
  }
}
