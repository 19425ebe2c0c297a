package dev.stepwell.worker.sandbox;

/** What hostile or ordinary code tries in a sandbox; Python, one word or list as the answer. */
final class Probes {
  /** First argument: a port that the host listens on, on its loopback. */
  static final String NETWORK =
      """
      import os, socket, sys, threading
      found = []
      names = [name for _, name in socket.if_nameindex()]
      if names != ['lo']:
          found.append(f'interfaces {names}')
      targets = [(socket.AF_INET, (host, port)) for host, port in (
          ('1.1.1.1', 53), ('169.254.169.254', 80), ('172.17.0.1', 22),
          ('127.0.0.1', int(sys.argv[1])))]
      targets.append((socket.AF_INET6, ('2606:4700:4700::1111', 53)))
      targets.append((socket.AF_INET6, ('fe80::1', 53, 0, 1)))
      for family, address in targets:
          for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
              try:
                  with socket.socket(family, kind) as s:
                      s.settimeout(5)
                      s.connect(address)
                      if kind == socket.SOCK_STREAM or address[0] != '127.0.0.1':
                          found.append(f'{kind} {address}')
              except OSError:
                  pass
      try:
          socket.getaddrinfo('example.com', 80)
          found.append('names')
      except OSError:
          pass
      with open('/proc/net/unix') as f:
          if len(f.readlines()) > 1:
              found.append('unix sockets')
      for path in ('/var/run/docker.sock', '/run/docker.sock'):
          if os.path.exists(path):
              found.append(path)
      try:
          socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
          found.append('raw')
      except OSError:
          pass
      server = socket.create_server(('127.0.0.1', 0))
      threading.Thread(target=lambda: server.accept()[0].sendall(b'x')).start()
      if socket.create_connection(server.getsockname()).recv(1) != b'x':
          found.append('no loopback')
      print(*(found or ['closed']))
      """;

  static final String READ_ONLY =
      """
      import os
      written = []
      for folder in ('/', '/usr', '/usr/bin', '/etc', '/bin', '/lib', '/dev', '/dev/pts', '/proc',
                     '/proc/sys', '/sys', '/sys/fs/cgroup', '/var', '/var/tmp', '/root', '/home',
                     '/run', '/run/lock', '/mnt', '/opt', '/srv'):
          try:
              open(folder + '/probe', 'w').close()
              written.append(folder)
          except OSError:
              pass
      for file, content in (('/proc/sys/kernel/core_pattern', '|/tmp/x'), ('/etc/passwd', 'x'),
                            ('/proc/sys/kernel/hostname', 'x'), ('/proc/sysrq-trigger', 'h'),
                            ('/sys/fs/cgroup/memory/release_agent', 'x'),
                            ('/proc/sys/vm/drop_caches', '1'), ('/usr/bin/env', 'x'),
                            ('/proc/1/oom_score_adj', '-1000'), ('/proc/self/exe', 'x')):
          try:
              with open(file, 'w') as f:
                  f.write(content)
              written.append(file)
          except OSError:
              pass
      print(written)
      """;

  /** First argument: a file of the host's beside the folders that are mounted. */
  static final String MOUNTS =
      """
      import os, sys
      texts = [open(f'/data/{alias}/open/file').read() for alias in sorted(os.listdir('/data'))]
      print(sorted(os.listdir('/data')), texts)
      done = []
      for data in ('/data/genes', '/proc/self/root/data/genes'):
          file, folder = data + '/open/file', data + '/open'
          for what in (
              lambda: open(file, 'w').close(),
              lambda: open(file, 'ab').write(b'x'),
              lambda: os.open(file, os.O_RDWR),
              lambda: os.truncate(file, 0),
              lambda: open(folder + '/new', 'w').close(),
              lambda: os.mkdir(folder + '/new'),
              lambda: os.symlink('x', folder + '/new'),
              lambda: os.link(file, folder + '/new'),
              lambda: os.mkfifo(folder + '/new'),
              lambda: os.unlink(file),
              lambda: os.rename(file, folder + '/new'),
              lambda: os.rename(folder, data + '/new'),
              lambda: os.chmod(file, 0o600),
              lambda: os.utime(file, (0, 0)),
              lambda: os.mkdir('/data/new'),
              lambda: os.rmdir('/data/genes'),
          ):
              try:
                  what()
                  done.append(what.__code__.co_firstlineno)
              except OSError:
                  pass
          if not os.statvfs(file).f_flag & os.ST_RDONLY:
              done.append('the mount is not read-only')
      print(done)
      seen = []
      for path in (sys.argv[1], '/data/../beside', '/data/genes/../beside', '/data/beside'):
          if os.path.exists(path):
              seen.append(path)
      print(seen)
      """;

  /** Of a mounted folder with a root-owned set-user-id program and a device. */
  static final String MOUNTED_PRIVILEGES =
      """
      import subprocess
      print(subprocess.run(['/data/data/id', '-u'], capture_output=True, text=True).stdout.strip())
      try:
          open('/data/data/mem', 'rb').read(1)
          print('a device')
      except OSError:
          print('no device')
      """;

  /** First argument: the most bytes that any writable folder may take. */
  static final String FILL =
      """
      import os, sys
      limit, wrong = int(sys.argv[1]), []
      for folder in ('/tmp', '/workspace', '/dev/shm'):
          size = 0
          try:
              with open(folder + '/big', 'wb', buffering=0) as f:
                  while size <= 4 * limit:
                      size += f.write(b'x' * 65536)
              wrong.append(f'{folder} takes {size}')
          except OSError as e:
              if e.errno != 28 or not 0 < size <= limit:
                  wrong.append(f'{folder} {size} {e}')
          os.unlink(folder + '/big')
          if os.statvfs(folder).f_flag & 6 != 6:
              wrong.append(f'{folder} allows devices or set-user-id')
      print(*(wrong or ['bounded']))
      """;

  /** First argument: a file of the host's. */
  static final String HOST_FILES =
      """
      import glob, os, sys
      seen = []
      for path in (sys.argv[1], '/etc/shadow', '/etc/gshadow', '/etc/ssh/ssh_host_rsa_key',
                   '/root/.ssh', '/root/.bashrc', '/proc/kcore', '/proc/kmsg', '/dev/mem',
                   '/dev/kmsg', '/dev/vda', '/dev/sda', '/dev/kvm', '/dev/fuse'):
          try:
              if os.path.isdir(path):
                  seen.extend(os.listdir(path))
              else:
                  with open(path, 'rb') as f:
                      if f.read(1):
                          seen.append(path)
          except OSError:
              pass
      for path in glob.glob('/proc/[0-9]*/environ'):
          try:
              with open(path, 'rb') as f:
                  names = {v.split(b'=')[0] for v in f.read().split(b'\\0') if v}
          except OSError:
              continue
          more = names - {b'GREETING', b'EMPTY', b'HOME', b'LANG', b'PATH', b'PWD', b'HOSTNAME'}
          seen.extend(more)
      for path in glob.glob('/proc/[0-9]*/root'):
          try:
              if os.stat(path).st_ino != os.stat('/').st_ino:
                  seen.append(path)
          except OSError:
              pass
      print(seen)
      """;

  /** Prints the mark; reads a name, and prints what it can change of the file and its folder. */
  static final String PIECES =
      """
      import mmap, os
      folder = '/run/stepwell'
      print(*[name for name in ('here',) if os.path.exists(f'{folder}/{name}')], flush=True)
      path = f'{folder}/{input()}'
      with open(path, 'rb') as f:
          held = mmap.mmap(f.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE)
          held[0:5] = b'mine!'
          shared = mmap.mmap(f.fileno(), 0, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ)
      try:
          names = os.listdir(folder)
      except PermissionError:
          names = ['here', 'extent']
      print(len(held), sorted(names, reverse=True), flush=True)
      done = []
      def attempt(what, call):
          try:
              call()
              done.append(what)
          except OSError:
              pass
      for place in (path, folder + '/here'):
          attempt('write', lambda: open(place, 'r+b'))
          attempt('append', lambda: open(place, 'ab'))
          attempt('truncate', lambda: os.truncate(place, 0))
          attempt('mode', lambda: os.chmod(place, 0o777))
          attempt('owner', lambda: os.chown(place, 65534, 65534))
          attempt('time', lambda: os.utime(place))
          attempt('attribute', lambda: os.setxattr(place, 'user.x', b'y'))
          attempt('unlink', lambda: os.unlink(place))
          attempt('rename', lambda: os.rename(place, place + '2'))
          attempt('move', lambda: os.rename(place, '/workspace/moved'))
          attempt('link', lambda: os.link(place, '/workspace/link'))
          attempt('link inside', lambda: os.link(place, place + '2'))
          attempt('descriptor', lambda: os.fchmod(os.open(place, os.O_RDONLY), 0o777))
          attempt('reopen', lambda: open(f'/proc/self/fd/{os.open(place, os.O_RDONLY)}', 'r+b'))
      attempt('file', lambda: open(folder + '/new', 'w'))
      attempt('folder', lambda: os.mkdir(folder + '/new'))
      attempt('symbolic link', lambda: os.symlink('/', folder + '/new'))
      attempt('fifo', lambda: os.mkfifo(folder + '/new'))
      attempt('folder mode', lambda: os.chmod(folder, 0o777))
      attempt('remove folder', lambda: os.rmdir(folder))
      attempt('move folder', lambda: os.rename(folder, '/run/other'))
      attempt('folder above', lambda: os.mkdir('/run/new'))
      for place in ('..', '../..', '../../..'):
          if os.path.realpath(f'{folder}/{place}') not in ('/', '/run'):
              done.append('out')
      print(done, flush=True)
      """;

  static final String PRIVILEGES =
      """
      import os
      wrong = []
      with open('/proc/self/status') as f:
          status = dict(line.rstrip('\\n').split(':\\t', 1) for line in f if ':\\t' in line)
      for name in ('CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'):
          if int(status[name], 16):
              wrong.append(f'{name} {status[name]}')
      if status['NoNewPrivs'] != '1':
          wrong.append('privileges can be gained')
      if status['Seccomp'] != '2':
          wrong.append('no filter')
      if os.getresuid() != (65534,) * 3 or os.getresgid() != (65534,) * 3:
          wrong.append(f'{os.getresuid()} {os.getresgid()}')
      if set(os.getgroups()) - {65534}:
          wrong.append(f'groups {os.getgroups()}')
      for call in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0]),
                   lambda: os.chroot('/tmp'), lambda: os.mknod('/tmp/d', 0o20666, os.makedev(1, 1)),
                   lambda: os.nice(-5), lambda: os.sched_setscheduler(
                       0, os.SCHED_FIFO, os.sched_param(1))):
          try:
              call()
              wrong.append('a privileged call')
          except OSError:
              pass
      print(*(wrong or ['none']))
      """;

  static final String DANGEROUS_CALLS =
      """
      import ctypes, errno, mmap, os, platform, socket
      libc = ctypes.CDLL(None, use_errno=True)
      column = {'x86_64': 0, 'aarch64': 1}[platform.machine()]
      allowed = []
      refused = {errno.EPERM, errno.ENOSYS, errno.EACCES}

      def check(name, numbers, *arguments, also=()):
          ctypes.set_errno(0)
          result = libc.syscall(numbers[column], *[ctypes.c_long(a) for a in arguments])
          if result != -1 or ctypes.get_errno() not in refused | set(also):
              allowed.append(f'{name} {result} {errno.errorcode.get(ctypes.get_errno())}')

      tmp = ctypes.cast(ctypes.c_char_p(b'/tmp'), ctypes.c_void_p).value
      kind = ctypes.cast(ctypes.c_char_p(b'tmpfs'), ctypes.c_void_p).value
      room = ctypes.create_string_buffer(256)
      at = ctypes.addressof(room)
      check('mount', (165, 40), kind, tmp, kind, 0, 0)
      check('umount2', (166, 39), tmp, 2)
      check('pivot_root', (155, 41), tmp, tmp)
      check('fsopen', (430, 430), kind, 0)
      check('open_tree', (428, 428), -100, tmp, 1)
      for flag in (0x10000000, 0x20000, 0x40000000, 0x8000000, 0x4000000, 0x20000000, 0x2000000):
          check(f'unshare {flag:x}', (272, 97), flag)
          check(f'clone {flag:x}', (56, 220), flag | 17, 0, 0, 0, 0)
      check('clone3', (435, 435), at, 88)
      check('setns', (308, 268), os.open('/proc/self/ns/net', os.O_RDONLY), 0)
      check('keyctl', (250, 219), 0, -3, 1)
      check('add_key', (248, 217), kind, kind, at, 1, -3)
      check('request_key', (249, 218), kind, kind, 0, -3)
      check('bpf', (321, 280), 0, at, 72)
      check('perf_event_open', (298, 241), at, 0, -1, -1, 0)
      check('userfaultfd', (323, 282), 0)
      check('io_uring_setup', (425, 425), 1, at)
      check('kexec_load', (246, 104), 0, 0, 0, 0)
      check('init_module', (175, 105), at, 1, at)
      check('finit_module', (313, 273), 0, at, 0)
      check('open_by_handle_at', (304, 265), -100, at, 0)
      check('swapon', (167, 224), tmp, 0)
      check('reboot', (169, 142), 0xfee1dead, 672274793, 0, 0)
      check('settimeofday', (164, 170), at, 0)
      check('clock_settime', (227, 112), 0, at)
      check('quotactl', (179, 60), 0, 0, 0, 0)
      check('syslog', (103, 116), 3, at, 1)
      check('acct', (163, 89), 0)
      check('personality', (135, 92), 0x40000)
      families = {'vsock': 40, 'packet': 17, 'alg': 38, 'bluetooth': 31, 'can': 29}
      for name, family in families.items():
          try:
              socket.socket(family, socket.SOCK_DGRAM if name != 'alg' else socket.SOCK_SEQPACKET)
              allowed.append(name)
          except OSError:
              pass
      if platform.machine() == 'x86_64':
          code = mmap.mmap(-1, 4096, prot=7)
          # mov eax, 20 (getpid of the 32-bit interface); int 0x80; ret
          code.write(bytes([0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3]))
          start = ctypes.addressof(ctypes.c_char.from_buffer(code))
          pid = os.fork()
          if pid == 0:
              os._exit(0 if ctypes.CFUNCTYPE(ctypes.c_int)(start)() < 0 else 1)
          status = os.waitpid(pid, 0)[1]
          if os.WIFEXITED(status) and os.WEXITSTATUS(status):
              allowed.append('32-bit calls')
      print(allowed)
      """;

  static final String ORDINARY =
      """
      import asyncio, faulthandler, hashlib, mmap, multiprocessing, os, pty, random, signal
      import sqlite3, subprocess
      import sys, tempfile, threading, time, uuid, zoneinfo
      from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

      # Whatever waits for ever is to say where.
      faulthandler.dump_traceback_later(90, exit=True)

      def square(x):
          return x * x

      def main():
          with ThreadPoolExecutor(8) as pool:
              assert sum(pool.map(square, range(100))) == 328350
          context = multiprocessing.get_context('fork')
          with context.Pool(4) as pool:
              assert pool.map(square, range(10))[9] == 81
              # Leaving without this terminates workers, which can wait for each other for ever.
              pool.close()
              pool.join()
          with ProcessPoolExecutor(2, mp_context=context) as pool:
              assert list(pool.map(square, range(3))) == [0, 1, 4]
          queue, lock = context.Queue(), context.Lock()
          child = context.Process(target=lambda: (lock.acquire(), queue.put(1), lock.release()))
          child.start()
          assert queue.get() == 1
          child.join()
          assert subprocess.run(['/bin/sh', '-c', 'echo hi | tr h H; exit 3'],
                                capture_output=True, text=True).stdout == 'Hi\\n'
          assert subprocess.run([sys.executable, '-c', 'exit(4)']).returncode == 4
          async def both():
              return await asyncio.gather(asyncio.sleep(0, 1), asyncio.to_thread(square, 2))
          assert asyncio.run(both()) == [1, 4]
          with tempfile.NamedTemporaryFile() as f:
              f.write(b'x' * 4096)
              f.flush()
              with mmap.mmap(f.fileno(), 0) as m:
                  assert m[0] == 120
          db = sqlite3.connect('/workspace/t.db')
          db.execute('create table t(x)')
          db.commit()
          signal.signal(signal.SIGALRM, lambda *a: None)
          signal.setitimer(signal.ITIMER_REAL, 0.01)
          signal.pause()
          os.close(os.open('/dev/null', os.O_RDWR))
          os.urandom(8), uuid.uuid4(), hashlib.sha256(b'x'), time.time()
          with open('/tmp/script', 'w') as f:
              f.write('#!/bin/sh\\necho run\\n')
          os.chmod('/tmp/script', 0o700)
          assert subprocess.check_output(['/tmp/script']) == b'run\\n'
          for _ in range(300):
              thread = threading.Thread(target=square, args=(1,))
              thread.start()
              thread.join()
          assert os.path.expanduser('~') == '/workspace'
          print('fine')

      main()
      """;

  static final String SCIENTIFIC =
      """
      import sys
      sys.path.append('/usr/lib/python3/dist-packages')
      try:
          import numpy, pandas
      except ImportError:
          print('not installed')
      else:
          a = numpy.random.default_rng(1).random((200, 200))
          numpy.linalg.inv(a) @ a
          assert pandas.DataFrame({'x': [1, 2]}).x.sum() == 3
          print('fine')
      """;

  static final String SHARED_MEMORY_OWNER =
      """
      import ctypes
      libc = ctypes.CDLL(None)
      for key in range(7000, 7004):
          libc.shmget(key, 4096, 0o1666)
          libc.msgget(key, 0o1666)
      import socket
      s = socket.socket(socket.AF_UNIX)
      s.bind('\\0stepwell-probe')
      s.listen()
      print('made', flush=True)
      input()
      """;

  static final String SHARED_MEMORY_SEEKER =
      """
      import ctypes, socket
      libc = ctypes.CDLL(None)
      found = []
      for key in range(7000, 7004):
          if libc.shmget(key, 0, 0) != -1 or libc.msgget(key, 0) != -1:
              found.append(key)
      try:
          socket.socket(socket.AF_UNIX).connect('\\0stepwell-probe')
          found.append('abstract socket')
      except OSError:
          pass
      print(found)
      """;

  static final String FORK_BOMB =
      """
      import os, time
      count, end = 0, 'none'
      while count < 5000:
          try:
              pid = os.fork()
          except OSError as e:
              end = type(e).__name__
              break
          if pid == 0:
              time.sleep(1000)
          count += 1
      print(count, end, flush=True)
      time.sleep(1000)
      """;

  static final String THREAD_BOMB =
      """
      import _thread, os
      # Not threading.Thread: its start() waits for a word that a thread without memory never says.
      held = _thread.allocate_lock()
      held.acquire()
      _thread.stack_size(65536)
      end = 'unlimited'
      try:
          for _ in range(5000):
              _thread.start_new_thread(held.acquire, ())
      except RuntimeError:
          end = 'refused'
      print(end, flush=True)
      os._exit(0)
      """;

  /** First argument: bytes to take in a child; the first process tells how that ended. */
  static final String MEMORY_BALLOON =
      """
      import os, sys, time
      pid = os.fork()
      if pid == 0:
          held = []
          try:
              with open('/proc/self/oom_score_adj', 'w') as f:
                  f.write('1000')
              for _ in range(int(sys.argv[1]) >> 20):
                  held.append(b'x' * (1 << 20))
          except MemoryError:
              os._exit(2)
          os._exit(0)
      status = os.waitpid(pid, 0)[1]
      ends = {9: 'killed', 512: 'MemoryError', 0: 'unlimited'}
      print(ends.get(status, status), flush=True)
      time.sleep(1000)
      """;

  static final String FILE_BALLOON =
      """
      import os, time
      pid = os.fork()
      if pid == 0:
          with open('/proc/self/oom_score_adj', 'w') as f:
              f.write('1000')
          with open('/tmp/big', 'wb', buffering=0) as f:
              for _ in range(48):
                  f.write(b'x' * (1 << 20))
          os._exit(0)
      print({9: 'killed', 0: 'unlimited'}.get(os.waitpid(pid, 0)[1]), flush=True)
      time.sleep(1000)
      """;

  private Probes() {}
}
