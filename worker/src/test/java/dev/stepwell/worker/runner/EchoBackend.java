package dev.stepwell.worker.runner;

import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxBackend;
import dev.stepwell.worker.sandbox.SandboxId;
import dev.stepwell.worker.sandbox.SandboxUsage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A backend without sandboxes, for loads that real ones would take hours for; thread-safe. What
 * answers a step speaks the runner's channel, runs nothing, and says that the step printed its own
 * source and left no variables.
 */
public final class EchoBackend implements SandboxBackend {
  private final long stepMs;

  /**
   * @param stepMs how long each step takes, of which nothing is work
   */
  public EchoBackend(long stepMs) {
    this.stepMs = stepMs;
  }

  @Override
  public String name() {
    return "echo";
  }

  @Override
  public String description() {
    return "nothing runs, every step prints its source";
  }

  @Override
  public Sandbox create(Profile profile, List<String> command) {
    return new EchoSandbox(command.contains(RunnerSource.compiler()), stepMs);
  }

  @Override
  public int reap() {
    return 0;
  }

  @Override
  public void close() {}

  /** Hears what it is told on the teller's thread, and queues what it says. */
  private static final class EchoSandbox implements Sandbox {
    private final String id = SandboxId.next();
    private final boolean compiler;
    private final long stepMs;
    private final BlockingQueue<byte[]> said = new LinkedBlockingQueue<>();
    private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private boolean booted;
    private long awaited = -1;
    private int taskAt;
    private int taskBytes;
    private boolean tellsFiles;

    EchoSandbox(boolean compiler, long stepMs) {
      this.compiler = compiler;
      this.stepMs = stepMs;
    }

    private void hear() {
      ByteBuffer bytes = ByteBuffer.wrap(heard.toByteArray());
      if (!booted) {
        if (bytes.remaining() < 4 || bytes.remaining() - 4 < bytes.getInt(0)) {
          return;
        }
        bytes.position(4 + bytes.getInt(0));
        booted = true;
        if (compiler) {
          say('C', "python", "3.11.2", "implementation", "cpython", "code", "echo");
        }
      }
      while (bytes.remaining() >= 5
          && bytes.remaining() - 5 >= bytes.getInt(bytes.position() + 1)) {
        char type = (char) bytes.get();
        byte[] payload = new byte[bytes.getInt()];
        bytes.get(payload);
        frame(type, payload);
      }
      heard.reset();
      heard.write(bytes.array(), bytes.position(), bytes.remaining());
    }

    private void frame(char type, byte[] payload) {
      if (type == 'B') {
        say('R', "python", "3.11.2", "places", "0");
      } else if (type == 'P') {
        say('P');
      } else if (type == 'S') {
        announced(payload);
      } else if (type == 'D') {
        data.writeBytes(payload);
      }
      if (awaited >= 0 && data.size() >= awaited) {
        awaited = -1;
        answer();
      }
    }

    private void announced(byte[] payload) {
      try {
        Fields fields = Fields.parse(payload);
        taskBytes = number(fields, "taskBytes");
        tellsFiles = number(fields, "reportsFiles") == 1;
        taskAt = number(fields, "treeBytes") + number(fields, "treeDataBytes");
        awaited = (long) taskAt + taskBytes + number(fields, "bodyBytes");
      } catch (IOException e) {
        throw new IllegalStateException("the worker sent no fields", e);
      }
    }

    private static int number(Fields fields, String name) throws IOException {
      return Integer.parseInt(fields.text(name, "0"));
    }

    private void answer() {
      byte[] task = new byte[taskBytes];
      System.arraycopy(data.toByteArray(), taskAt, task, 0, taskBytes);
      String source;
      try {
        source = Fields.parse(task).text("source", "");
      } catch (IOException e) {
        throw new IllegalStateException("the worker sent no task", e);
      }
      say('A', "restoreUs", "0");
      try {
        Thread.sleep(stepMs);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      frameOut('O', source.getBytes(StandardCharsets.UTF_8));
      say('V', "ending", "completed");
      if (tellsFiles) {
        frameOut('W', new byte[0]);
      }
      say('Z', "exitCode", "0", "cpuUs", "1", "maxRssBytes", "1", "runUs", "1");
    }

    private void say(char type, String... fields) {
      Fields.Writer writer = new Fields.Writer();
      for (int i = 0; i < fields.length; i += 2) {
        writer.add(fields[i], fields[i + 1]);
      }
      frameOut(type, writer.payload());
    }

    private void frameOut(char type, byte[] payload) {
      ByteBuffer frame = ByteBuffer.allocate(5 + payload.length);
      frame.put((byte) type).putInt(payload.length).put(payload);
      said.add(frame.array());
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public InputStream output() {
      return new QueuedInput(said);
    }

    @Override
    public OutputStream input() {
      return new OutputStream() {
        @Override
        public void write(int b) {
          write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
          synchronized (heard) {
            heard.write(bytes, offset, length);
          }
        }

        @Override
        public void flush() {
          synchronized (heard) {
            hear();
          }
        }
      };
    }

    @Override
    public SandboxUsage usage() {
      return new SandboxUsage(null, null, 0, 0, "none");
    }

    @Override
    public String diagnostics() {
      return "";
    }

    @Override
    public void destroy() {
      said.add(QueuedInput.END);
    }
  }
}
