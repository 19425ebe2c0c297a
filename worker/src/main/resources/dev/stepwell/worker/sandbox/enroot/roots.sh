# The container roots of one user on this machine: each is made once for an image, and used by any number of workers.
#
#   make KEY IMAGE OWNER UID GID   makes the root KEY of IMAGE unless it is there and whole, and notes OWNER as one who uses it
#   owners                         prints everybody noted, one a line
#   sweep OWNER...                 forgets these, who are gone; removes what was half made, and the roots of images that have
#                                  changed since and that nobody uses; prints the name of each root that it removes
#
# Below $STEPWELL_ROOTS: data/KEY is a root; made/KEY says that it is whole, and of which file; users/KEY/OWNER who uses it; and
# locks/KEY is locked by who makes, notes or removes. A killed making holds the lock until its last process has ended.
#
# Exit status: 0 done; 65 the image is of no use; 75 it failed and may go well another time.
set -u
umask 022
cd "$STEPWELL_ROOTS" || exit 75
mkdir -p "$ENROOT_DATA_PATH" made users locks || exit 75

fail() {
  status=$1
  shift
  echo "$*" >&2
  exit "$status"
}

# What tells a file from what it was: its size, when it was written, and its number.
identity() { stat -Lc '%s %Y %i' -- "$1"; }

remove() {
  rm -f "made/$1"
  [ ! -e "data/$1" ] || enroot remove -f -- "$1" < /dev/null
}

# The messages of enroot and unsquashfs that don't speak of the image.
passing() { printf '%s' "$1" | grep -q -e 'No space left' -e 'Cannot allocate memory' -e 'Disk quota' -e 'Too many open files'; }

create() {
  said=$(enroot create --name "$1" -- "$2" < /dev/null 2>&1) && return 0
  remove "$1"
  said=$(printf '%s\n' "$said" | grep -v -e '^$' -e '^\[INFO\]' | tail -n 5)
  if passing "$said"; then fail 75 "$said"; fi
  fail 65 "$said"
}

# enroot mounts and runs what it finds in etc, and sets what etc/environment says; an image must not decide that. A link of the
# image's could lead to this machine's own files.
prepare() {
  cd "data/$1" || exit 75
  if [ -L etc ] || [ ! -d etc ]; then fail 65 "it has no folder /etc"; fi
  rm -rf etc/fstab etc/rc etc/environment .enroot dev
  # Everything in it has become the sandboxes' user's own, who shall see of it what any user of the image would.
  chmod -R u=o . 2> /dev/null || :
  chmod u+rwx . etc
  for folder in run data; do [ -L "$folder" ] || [ ! -d "$folder" ] || chmod u+rwx "$folder"; done
  for folder in proc sys run run/stepwell tmp workspace data; do
    [ ! -L "$folder" ] || rm -f "$folder"
    mkdir -p "$folder"
  done
  mkdir -p dev/pts dev/shm
  for device in null zero full random urandom; do : > "dev/$device"; done
  ln -s /proc/self/fd dev/fd
  ln -s /proc/self/fd/0 dev/stdin
  ln -s /proc/self/fd/1 dev/stdout
  ln -s /proc/self/fd/2 dev/stderr
  ln -s pts/ptmx dev/ptmx
  entry passwd "$2" "sandbox:x:$2:$3:sandbox:/workspace:/bin/sh"
  entry group "$3" "sandbox:x:$3:"
  hosts
  chmod 755 . dev dev/pts dev/shm etc run run/stepwell workspace data proc sys tmp
  cd "$STEPWELL_ROOTS" || exit 75
}

plain_file() {
  if [ -L "etc/$1" ] || [ -d "etc/$1" ]; then rm -rf "etc/$1"; fi
  [ ! -r "etc/$1" ] || cat "etc/$1" > "etc/$1.new"
  : >> "etc/$1.new"
  mv -f "etc/$1.new" "etc/$1"
  chmod 644 "etc/$1"
}

# The user that the sandboxes run as has a name in them.
entry() {
  plain_file "$1"
  cut -d: -f3 "etc/$1" | grep -qx "$2" || echo "$3" >> "etc/$1"
}

hosts() {
  plain_file hosts
  grep -q '\blocalhost\b' etc/hosts || printf '127.0.0.1 localhost\n::1 localhost\n' >> etc/hosts
}

make() {
  key=$1 image=$2 owner=$3
  exec 9> "locks/$key" || exit 75
  flock -w 600 9 || fail 75 "another process has been busy with it for 600 s"
  mkdir -p "users/$key" || exit 75
  if [ ! -f "made/$key" ] || [ ! -d "data/$key/etc" ]; then
    remove "$key"
    [ -r "$image" ] || fail 65 "user $(id -u) can't read it"
    before=$(identity "$image")
    create "$key" "$image"
    (set -e; prepare "$key" "$4" "$5")
    status=$?
    [ $status = 0 ] || { remove "$key"; exit $status; }
    [ "$before" = "$(identity "$image")" ] || { remove "$key"; fail 75 "it was changed while it was read"; }
    printf '%s\n%s\n' "$before" "$image" > "made/$key.new" && mv "made/$key.new" "made/$key" || exit 75
  fi
  : > "users/$key/$owner"
}

owners() {
  for file in users/*/*; do
    [ ! -f "$file" ] || echo "${file##*/}"
  done
}

current() {
  { read -r then && read -r image; } < "made/$1" || return 1
  [ "$then" = "$(identity "$image" 2> /dev/null)" ]
}

unused() { [ -z "$(ls -A "users/$1" 2> /dev/null)" ]; }

sweep_one() {
  exec 9> "locks/$1" && flock -n 9 || return 0
  if unused "$1" && ! { [ -f "made/$1" ] && current "$1"; }; then
    echo "$1"
    remove "$1"
    rm -rf "users/$1"
  fi
}

sweep() {
  for owner in "$@"; do rm -f -- users/*/"$owner"; done
  for root in data/*; do
    [ ! -d "$root" ] || (sweep_one "${root##*/}")
  done
}

command=$1
shift
case $command in
  make | owners | sweep) "$command" "$@" ;;
  *) fail 64 "roots.sh: no command $command" ;;
esac
