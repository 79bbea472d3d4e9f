// SPDX-License-Identifier: Apache-2.0
// Preloaded into the programs that the tests start: what tpuctl writes to its standard output and error is written to a
// file of the folder $TPUCTL_WITNESS, too, a file a process, with the command line in front. secrets_told.py reads them.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using Write = ssize_t (*)(int, const void*, size_t);

Write real_write() {
  static const Write found = reinterpret_cast<Write>(dlsym(RTLD_NEXT, "write"));
  return found;
}

bool is_tpuctl() {
  char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
  if (size <= 0) return false;
  path[size] = 0;
  const char* name = std::strrchr(path, '/');
  return name != nullptr && std::strcmp(name, "/tpuctl") == 0;
}

int open_file() {
  const char* folder = std::getenv("TPUCTL_WITNESS");
  if (folder == nullptr || !is_tpuctl()) return -1;
  char path[4096];
  std::snprintf(path, sizeof path, "%s/%ld.%ld", folder, static_cast<long>(getpid()), static_cast<long>(random()));
  const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return -1;
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, 200);  // out of the way of programs that count descriptors
  close(fd);
  char words[8192];
  const int arguments = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t size = arguments < 0 ? 0 : read(arguments, words, sizeof words - 1);
  if (arguments >= 0) close(arguments);
  for (ssize_t i = 0; i + 1 < size; ++i) {
    if (words[i] == 0 || words[i] == '\n') words[i] = ' ';
  }
  if (size > 0) words[size - 1] = '\n';
  if (size > 0 && real_write()(moved, words, static_cast<size_t>(size)) < 0) return -1;
  return moved;
}

}  // namespace

extern "C" ssize_t write(int fd, const void* bytes, size_t size) {
  const ssize_t written = real_write()(fd, bytes, size);
  if ((fd == STDOUT_FILENO || fd == STDERR_FILENO) && written > 0) {
    static pid_t owner = 0;
    static int copy = -1;
    if (owner != getpid()) {  // a child that fork made writes a file of its own
      owner = getpid();
      copy = open_file();
    }
    if (copy >= 0) (void)!real_write()(copy, bytes, static_cast<size_t>(written));
  }
  return written;
}
