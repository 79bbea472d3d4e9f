The program says what it is, in every spelling:

  $ tpuctl --version
  tpuctl [0-9.]+ (re)
  $ tpuctl version
  tpuctl [0-9.]+ (re)
