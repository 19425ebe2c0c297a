package dev.stepwell.worker.state.store;

/**
 * Keeps small objects, at most some hundred kilobytes each, under names that say what is in them.
 * Thread-safe.
 *
 * <p>Objects under one name always have the same content, so that writing one again does no harm;
 * it makes it young again. Nothing is ever removed here.
 */
public interface ObjectStore extends AutoCloseable {
  /** What a name may be made of; also a file's name on any file system. */
  String NAME = "[a-z0-9-]{4,64}";

  /**
   * Writes an object whether or not it is there already, so that nobody learns from the time that
   * it takes. Blocks. Once it returns, every worker can read it.
   *
   * @param name matches {@link #NAME}
   * @throws StoreException if it can't be written
   * @throws InterruptedException if the thread was interrupted; the object may be there or not
   */
  void put(String name, byte[] bytes) throws StoreException, InterruptedException;

  /**
   * Reads an object. Blocks. What it returns is what is there, unchecked.
   *
   * @param maxBytes how many bytes are read at most; the rest is left out
   * @throws StoreException if it can't be read
   * @throws InterruptedException if the thread was interrupted
   */
  byte[] get(String name, int maxBytes) throws StoreException, InterruptedException;

  /** Lets connections go. */
  @Override
  void close();
}
