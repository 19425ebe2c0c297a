package dev.stepwell.cli;

import dev.stepwell.cli.local.TopicCreation;
import dev.stepwell.cli.process.ExitCodes;
import dev.stepwell.protocol.Topics;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Creates the topics on any Kafka. */
@Command(
    name = "topics",
    description =
        "Creates Stepwell's topics with the settings that they need; leaves those that are there.")
final class TopicsCommand implements Callable<Integer> {
  @Option(names = "--bootstrap", required = true, paramLabel = "HOST:PORT", description = "Kafka.")
  private String bootstrap;

  @Option(
      names = "--partitions",
      defaultValue = "16",
      paramLabel = "N",
      description = "Partitions of each, which can't be changed later. Default: ${DEFAULT-VALUE}")
  private int partitions;

  @Option(
      names = "--replication",
      defaultValue = "0",
      paramLabel = "N",
      description = "Copies of each. 0, the default, is what the brokers are set to.")
  private short replication;

  @Option(
      names = "--prefix",
      defaultValue = "stepwell",
      description = "What their names begin with. Default: ${DEFAULT-VALUE}")
  private String prefix;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    List<String> created =
        new TopicCreation(new Topics(prefix), partitions, replication).create(bootstrap);
    spec.commandLine()
        .getOut()
        .println(
            created.isEmpty() ? "all topics are there" : "created " + String.join(", ", created));
    return ExitCodes.OK;
  }
}
