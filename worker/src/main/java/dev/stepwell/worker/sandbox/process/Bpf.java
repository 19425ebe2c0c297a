package dev.stepwell.worker.sandbox.process;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Assembles a classic BPF program, one instruction per call. Not thread-safe.
 *
 * <p>Jumps count the instructions they skip; at most 255.
 */
final class Bpf {
  private static final int LOAD_WORD = 0x20;
  private static final int JUMP_IF_EQUAL = 0x15;
  private static final int JUMP_IF_AT_LEAST = 0x35;
  private static final int JUMP_IF_ANY_BIT = 0x45;
  private static final int RETURN = 0x06;
  private static final int INSTRUCTION_BYTES = 8;

  private record Instruction(int code, int ifTrue, int ifFalse, int operand) {}

  private final List<Instruction> program = new ArrayList<>();

  /** Loads the 32-bit word at {@code offset} of the data. */
  Bpf load(int offset) {
    return add(LOAD_WORD, 0, 0, offset);
  }

  /**
   * Skips {@code ifTrue} instructions if what was loaded is {@code value}, else {@code ifFalse}.
   */
  Bpf ifEqual(int value, int ifTrue, int ifFalse) {
    return add(JUMP_IF_EQUAL, ifTrue, ifFalse, value);
  }

  /** The same, if what was loaded is {@code value} or more, unsigned. */
  Bpf ifAtLeast(int value, int ifTrue, int ifFalse) {
    return add(JUMP_IF_AT_LEAST, ifTrue, ifFalse, value);
  }

  /** The same, if what was loaded has any of the bits of {@code mask}. */
  Bpf ifAnyBit(int mask, int ifTrue, int ifFalse) {
    return add(JUMP_IF_ANY_BIT, ifTrue, ifFalse, mask);
  }

  /** Ends the program with {@code result}. */
  Bpf answer(int result) {
    return add(RETURN, 0, 0, result);
  }

  private Bpf add(int code, int ifTrue, int ifFalse, int operand) {
    if ((ifTrue | ifFalse) >>> Byte.SIZE != 0) {
      throw new IllegalArgumentException("a jump skips 0 to 255 instructions");
    }
    program.add(new Instruction(code, ifTrue, ifFalse, operand));
    return this;
  }

  /** The program as the kernel of this machine reads it: {@code struct sock_filter[]}. */
  byte[] assemble() {
    ByteBuffer bytes =
        ByteBuffer.allocate(program.size() * INSTRUCTION_BYTES).order(ByteOrder.nativeOrder());
    for (Instruction instruction : program) {
      bytes
          .putShort((short) instruction.code())
          .put((byte) instruction.ifTrue())
          .put((byte) instruction.ifFalse())
          .putInt(instruction.operand());
    }
    return bytes.array();
  }
}
