package dev.stepwell.worker.config;

import static dev.stepwell.worker.config.Domain.choice;
import static dev.stepwell.worker.config.Domain.list;
import static dev.stepwell.worker.config.Domain.namedUpTo;
import static dev.stepwell.worker.config.Domain.number;
import static dev.stepwell.worker.config.Domain.text;
import static dev.stepwell.worker.config.Fallback.computed;
import static dev.stepwell.worker.config.Kind.COUNT;
import static dev.stepwell.worker.config.Kind.DURATION;
import static dev.stepwell.worker.config.Kind.SIZE;

/**
 * Every setting of a worker but those of its profiles: the table that parsing, checks, messages and
 * documentation are derived from.
 */
enum WorkerSetting implements Setting {
  BOOTSTRAP_SERVERS(
      Section.KAFKA,
      "bootstrap.servers",
      list(),
      Fallback.REQUIRED,
      "Kafka brokers to begin with, as `host:port`."),
  CLUSTER_NAME(
      Section.KAFKA,
      "cluster.name",
      namedUpTo(100),
      Fallback.of("stepwell"),
      "Distinguishes installations that share a Kafka cluster. Part of every transactional id, so"
          + " all workers of one group must have the same."),
  GROUP_ID(
      Section.KAFKA,
      "group.id",
      namedUpTo(100),
      Fallback.of("stepwell-workers"),
      "The consumer group. Workers of one group share the partitions."),
  TOPIC_PREFIX(
      Section.KAFKA,
      "topic.prefix",
      namedUpTo(200),
      Fallback.of("stepwell"),
      "What the topics' names begin with: `stepwell.requests` and so on."),
  ALLOWED_REPLY_TOPICS(
      Section.KAFKA,
      "allowed.reply.topics",
      list(),
      Fallback.EMPTY,
      "Topics that a request may name for its result. The results topic is always allowed."),
  WORKER_ID(
      Section.KAFKA,
      "worker.id",
      namedUpTo(63),
      computed("host name, process id and a random part"),
      "What results call this worker. No two running workers may share one."),
  MESSAGE_MAX(
      Section.KAFKA,
      "message.max",
      number(SIZE, "64KiB", "256MiB"),
      Fallback.of("8MiB"),
      "The largest request. A larger one is answered with a rejection, unread."),
  TRANSACTION_TIMEOUT(
      Section.KAFKA,
      "transaction.timeout",
      number(DURATION, "1s", "15m"),
      Fallback.of("10s"),
      "After it the broker aborts a transaction that nobody ends or takes over. The broker's"
          + " `transaction.max.timeout.ms` must allow it."),
  POLL_INTERVAL_MAX(
      Section.KAFKA,
      "poll.interval.max",
      number(DURATION, "5s", "1h"),
      Fallback.of("5m"),
      "A worker that does not poll for so long loses its partitions. Steps never hold up polling,"
          + " however long they run."),

  QUEUE_RECORDS(
      Section.INTAKE,
      "queue.records",
      number(COUNT, "1", "1000000"),
      Fallback.of("2000"),
      "Requests taken ahead and not yet answered, in the whole worker. Above it partitions are"
          + " paused."),
  QUEUE_BYTES(
      Section.INTAKE,
      "queue.bytes",
      number(SIZE, "64KiB", "64GiB"),
      Fallback.of("64MiB"),
      "Bytes of the same. At least `partition.queue.bytes`."),
  PARTITION_QUEUE_RECORDS(
      Section.INTAKE,
      "partition.queue.records",
      number(COUNT, "1", "1000000"),
      Fallback.of("500"),
      "Requests taken ahead of one partition. At most `queue.records`."),
  PARTITION_QUEUE_BYTES(
      Section.INTAKE,
      "partition.queue.bytes",
      number(SIZE, "64KiB", "64GiB"),
      Fallback.of("16MiB"),
      "Bytes of the same. At least `message.max`, or the largest request would never fit."),
  PARTITION_WINDOW(
      Section.INTAKE,
      "partition.window",
      number(COUNT, "1", "24000"),
      Fallback.of("20000"),
      "How far a partition's newest taken request may lie ahead of its oldest unanswered one, in"
          + " offsets. What is answered in between must fit in Kafka's 4096 bytes of offset"
          + " metadata."),

  SLOTS(
      Section.EXECUTION,
      "slots",
      number(COUNT, "1", "1024"),
      computed("the machine's processor cores"),
      "Steps that run at once. At most `pool.sandboxes.max`."),
  COMMIT_CONCURRENCY(
      Section.EXECUTION,
      "commit.concurrency",
      number(COUNT, "1", "1024"),
      Fallback.of("4"),
      "Transactions that may be in flight at once, of all partitions. Fewer make larger batches,"
          + " which costs less under load."),
  ATTEMPTS_MAX(
      Section.EXECUTION,
      "attempts.max",
      number(COUNT, "1", "100"),
      Fallback.of("3"),
      "How often a request may be begun, over all workers. Past it the request is answered with an"
          + " infrastructure failure and dead-lettered."),
  SHUTDOWN_GRACE(
      Section.EXECUTION,
      "shutdown.grace",
      number(DURATION, "0", "1h").zero("running steps are given back at once"),
      Fallback.of("30s"),
      "How long a stopping worker lets running steps finish. What still runs then is given back to"
          + " the other workers."),
  TAKE_TIMEOUT(
      Section.EXECUTION,
      "pool.take.timeout",
      number(DURATION, "100ms", "10m"),
      Fallback.of("30s"),
      "How long a request waits for a sandbox before the attempt counts as failed."),

  BACKEND(
      Section.SANDBOXES,
      "backend",
      choice("auto", "docker", "bubblewrap", "enroot"),
      Fallback.of("auto"),
      "What makes sandboxes. `auto` takes docker where an engine answers, else bubblewrap, else"
          + " enroot, and logs which and why."),
  DOCKER_HOST(
      Section.SANDBOXES,
      "docker.host",
      text(),
      Fallback.EMPTY,
      "The engine's address, such as `unix:///var/run/docker.sock`. Empty: what `DOCKER_HOST` says,"
          + " else the standard socket."),
  BUBBLEWRAP_PATH(
      Section.SANDBOXES,
      "bubblewrap.path",
      text(),
      Fallback.of("bwrap"),
      "The bubblewrap program: a path, or a name looked up in `PATH`."),
  ENROOT_PATH(
      Section.SANDBOXES,
      "enroot.path",
      text(),
      Fallback.of("enroot"),
      "The enroot program: a path, or a name looked up in `PATH`."),
  ENROOT_USER(
      Section.SANDBOXES,
      "enroot.user",
      text(),
      Fallback.of("nobody"),
      "Whose processes enroot's sandboxes are where the worker is root: a user's name or number, not"
          + " root's. Any other worker's are its own."),
  SCRATCH_FOLDER(
      Section.SANDBOXES,
      "scratch.folder",
      text(),
      computed("`stepwell` in the machine's temporary folder"),
      "A local folder for sandboxes and caches. Nothing in it has to survive the worker; workers of"
          + " one machine may share it."),
  IMAGE_FOLDER(
      Section.SANDBOXES,
      "image.folder",
      text(),
      computed(
          "what `STEPWELL_DATA` says; else `/var/lib/stepwell` for root, `~/.local/share/stepwell` for"
              + " others"),
      "Where `stepwell images` leaves root folders and squashfs files; an absolute path."),
  DEFAULT_PROFILE(
      Section.SANDBOXES,
      "default.profile",
      namedUpTo(63),
      Fallback.of("plain"),
      "The profile of requests that name none."),

  SANDBOXES_MAX(
      Section.POOL,
      "pool.sandboxes.max",
      number(COUNT, "1", "10000"),
      computed("4 times `slots`, at least 16"),
      "Sandboxes at once, of all profiles, in whatever state. At least `slots` and the profiles'"
          + " `pool.min` together."),
  POOL_CREATORS(
      Section.POOL,
      "pool.creators",
      number(COUNT, "1", "256"),
      computed("the machine's processor cores"),
      "Threads that start sandboxes."),
  POOL_DESTROYERS(
      Section.POOL,
      "pool.destroyers",
      number(COUNT, "1", "256"),
      computed("the machine's processor cores"),
      "Threads that remove sandboxes."),
  POOL_IDLE_LIFETIME(
      Section.POOL,
      "pool.idle.lifetime",
      number(DURATION, "0", "24h").zero("idle sandboxes are kept as long as they live"),
      Fallback.of("10m"),
      "Age at which an idle sandbox is replaced; varied by 2.5 % at random, so that not all are"
          + " replaced together."),
  POOL_CREATE_ATTEMPTS(
      Section.POOL,
      "pool.create.attempts",
      number(COUNT, "1", "20"),
      Fallback.of("3"),
      "How often starting one sandbox is tried when the failure may pass."),
  POOL_CREATE_BACKOFF(
      Section.POOL,
      "pool.create.backoff",
      number(DURATION, "1ms", "1m"),
      Fallback.of("100ms"),
      "Wait before the second try. It doubles with every try and is varied at random by half."),
  POOL_FAILURE_PAUSE(
      Section.POOL,
      "pool.failure.pause",
      number(DURATION, "1ms", "10m"),
      Fallback.of("5s"),
      "How long a profile is left alone after a sandbox of it could not be started. Meanwhile its"
          + " requests fail at once if the failure is permanent, such as a missing image; else they"
          + " wait."),

  SNAPSHOT_CACHE(
      Section.STATE,
      "snapshot.cache",
      number(SIZE, "0", "1024GiB").zero("only what is in use is kept"),
      Fallback.of("4GiB"),
      "Disk space in `scratch.folder` for pieces of snapshots that were lately saved or restored."
          + " What steps in flight use comes on top."),
  CLAIM_CHECK(
      Section.STATE,
      "claim.check",
      number(SIZE, "0", "1024GiB").zero("everything goes to the object store"),
      Fallback.of("1MiB"),
      "A step that leaves more than this in new pieces above 64 KiB leaves those in `object.store`"
          + " instead of Kafka, if there is one; the same holds for its smaller pieces together."),
  OBJECT_STORE(
      Section.STATE,
      "object.store",
      text(),
      Fallback.EMPTY,
      "Where large snapshots are kept: `s3://BUCKET/PREFIX`, or the absolute path of a folder that"
          + " all workers share. All workers of one group must have the same. Empty: nowhere,"
          + " everything goes to Kafka."),
  OBJECT_STORE_ENDPOINT(
      Section.STATE,
      "object.store.endpoint",
      text(),
      Fallback.EMPTY,
      "Address of the S3 server, such as `http://minio:9000`. Empty: Amazon's of the region."),
  OBJECT_STORE_REGION(
      Section.STATE,
      "object.store.region",
      text(),
      Fallback.EMPTY,
      "The bucket's region. Empty: what `AWS_REGION` says, else `us-east-1`."),
  OBJECT_STORE_PATH_STYLE(
      Section.STATE,
      "object.store.path.style",
      choice("true", "false"),
      computed("`true` if `object.store.endpoint` is set, else `false`"),
      "Whether the bucket is named in the path, not in the host name. Most servers but Amazon's want"
          + " it so."),
  OBJECT_STORE_CREDENTIALS_FILE(
      Section.STATE,
      "object.store.credentials.file",
      text(),
      Fallback.EMPTY,
      "A file in the form of `~/.aws/credentials`, of which the profile `default` is taken. Empty:"
          + " where Amazon's tools look: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, that file"
          + " of the worker's user, the machine's role."),
  OBJECT_STORE_RETENTION(
      Section.STATE,
      "object.store.retention",
      number(DURATION, "0", "876000h").zero("as long as the blob topic keeps its records"),
      Fallback.of("0"),
      "How long the object store keeps an object after it was last written. What is older than half"
          + " of it is written again when a step carries it on. The store itself has to remove what"
          + " is older; no worker does."),
  OBJECT_STORE_CONCURRENCY(
      Section.STATE,
      "object.store.concurrency",
      number(COUNT, "1", "256"),
      Fallback.of("8"),
      "Objects that a worker reads and writes at once."),
  OBJECT_STORE_TIME(
      Section.STATE,
      "object.store.time",
      number(DURATION, "1s", "10m"),
      Fallback.of("20s"),
      "Time to read or write one object, repeated tries included."),
  RESTORE_TIME(
      Section.STATE,
      "restore.time",
      number(DURATION, "100ms", "10m"),
      Fallback.of("10s"),
      "Time to bring a session's state into the sandbox. Past it the attempt counts as failed."),
  SAVE_TIME(
      Section.STATE,
      "save.time",
      number(DURATION, "100ms", "10m"),
      Fallback.of("10s"),
      "Time for a step to save its state. Past it the step leaves the state as it was, and its"
          + " result says so.");

  @SuppressWarnings("ImmutableEnumChecker") // Its parts are records of immutable values.
  private final Spec spec;

  WorkerSetting(Section section, String key, Domain domain, Fallback fallback, String meaning) {
    this.spec = new Spec(section, key, domain, fallback, meaning);
  }

  @Override
  public Spec spec() {
    return spec;
  }
}
