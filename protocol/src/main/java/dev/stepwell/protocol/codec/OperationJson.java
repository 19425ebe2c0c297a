package dev.stepwell.protocol.codec;

import dev.stepwell.protocol.SessionOperation;
import java.io.IOException;

/** The JSON form of {@link SessionOperation}: an object whose {@code type} says which it is. */
final class OperationJson {
  private OperationJson() {}

  static void write(SessionOperation operation, FieldWriter fields) throws IOException {
    fields.text("type", Type.of(operation).name());
    if (operation instanceof SessionOperation.Fork fork) {
      fields.text("base", fork.base());
      fields.flag("reseed", fork.reseed());
    } else if (operation instanceof SessionOperation.Locate locate) {
      fields.integer("step", locate.step());
    } else if (operation instanceof SessionOperation.History history) {
      fields.integer("limit", history.limit());
      fields.integer("beforeStep", history.beforeStep());
    } else if (operation instanceof SessionOperation.PutFiles put) {
      fields.objects("files", put.files(), FileJson::writeInput);
    } else if (operation instanceof SessionOperation.GetFile get) {
      fields.text("path", get.path());
      fields.integer("offset", get.offset());
      fields.integer("length", get.length());
      fields.text("base", get.base());
    } else if (operation instanceof SessionOperation.ListFiles list) {
      fields.text("prefix", list.prefix());
      fields.text("after", list.after());
      fields.integer("limit", list.limit());
      fields.text("base", list.base());
    } else if (operation instanceof SessionOperation.RemoveFiles remove) {
      fields.texts("paths", remove.paths());
    }
  }

  static SessionOperation read(FieldReader fields) {
    return switch (fields.requiredOneOf("type", Type.class)) {
      case FORK ->
          new SessionOperation.Fork(fields.requiredText("base"), fields.requiredFlag("reseed"));
      case LOCATE -> new SessionOperation.Locate(fields.integer("step"));
      case HISTORY ->
          new SessionOperation.History(
              fields.requiredSmallInteger("limit"), fields.integer("beforeStep"));
      case RESET -> new SessionOperation.Reset();
      case END -> new SessionOperation.End();
      case PUT_FILES ->
          new SessionOperation.PutFiles(
              fields.objects("files").stream().map(FileJson::readInput).toList());
      case GET_FILE ->
          new SessionOperation.GetFile(
              fields.requiredText("path"),
              fields.requiredInteger("offset"),
              fields.requiredSmallInteger("length"),
              fields.text("base"));
      case LIST_FILES ->
          new SessionOperation.ListFiles(
              fields.requiredText("prefix"),
              fields.text("after"),
              fields.requiredSmallInteger("limit"),
              fields.text("base"));
      case REMOVE_FILES -> new SessionOperation.RemoveFiles(fields.texts("paths"));
    };
  }

  private enum Type {
    FORK(SessionOperation.Fork.class),
    LOCATE(SessionOperation.Locate.class),
    HISTORY(SessionOperation.History.class),
    RESET(SessionOperation.Reset.class),
    END(SessionOperation.End.class),
    PUT_FILES(SessionOperation.PutFiles.class),
    GET_FILE(SessionOperation.GetFile.class),
    LIST_FILES(SessionOperation.ListFiles.class),
    REMOVE_FILES(SessionOperation.RemoveFiles.class);

    private final Class<? extends SessionOperation> operation;

    Type(Class<? extends SessionOperation> operation) {
      this.operation = operation;
    }

    static Type of(SessionOperation operation) {
      for (Type type : values()) {
        if (type.operation.isInstance(operation)) {
          return type;
        }
      }
      throw new IllegalArgumentException("no type for " + operation);
    }
  }
}
