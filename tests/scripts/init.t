The first four properties, asked for. Without input nothing is guessed:

  $ tpuctl init </dev/null
  Which configuration do you want to work with?
   [1] default
   [2] a new one
  Number or name [1]:  
  ERROR: (tpuctl.init) The question was not answered: there is no more input.
  Use --configuration=NAME and --quiet.
  [1]

With --quiet nothing is asked: what flags say is written, the rest stays.

  $ tpuctl init --quiet --account=me@example.com --project=my-project --zone=us-central2-b
  
  Your configuration [default] is ready:
    core/account = me@example.com
    core/project = my-project
    compute/zone = us-central2-b
  
  To see whether everything works: tpuctl doctor
  $ tpuctl config list 2>/dev/null
  [compute]
  zone = us-central2-b
  [core]
  account = me@example.com
  project = my-project
  $ tpuctl config configurations create empty 2>/dev/null
  $ tpuctl init --quiet
  ERROR: (tpuctl.init) No project was chosen.
  Name it: tpuctl init --project=PROJECT
  [1]
  $ tpuctl config configurations activate default 2>/dev/null

One question after the other; the zones are those of the service:

  $ start_emulator
  $ export CLOUDSDK_CONFIG=$HOME/gcloud
  $ unset CLOUDSDK_CORE_PROJECT CLOUDSDK_COMPUTE_ZONE CLOUDSDK_CORE_ACCOUNT CLOUDSDK_CORE_DISABLE_PROMPTS
  $ printf '2\nwork\n2\nsome-project\nus-central2-b\n' | tpuctl init 2>&1 | grep -v '^ \[[0-9]*\] [a-z]*-[a-z0-9]*-[a-z]$'
  Which configuration do you want to work with?
   [1] default
   [2] a new one
  Number or name [1]:  
  Its name:  
  Created [work].
  Activated [work].
  Which account do you want to use?
   [1] sign in
   [2] none: a token, a credential file or this machine's own account
  Number or name [2]:  
  Which project do you want to work in (its id):  
  Which zone do you want to use by default?
   [*] none: I name it each time (glob)
  Number or name \[[0-9]+\]:   (re)
  
  Your configuration [work] is ready:
    core/account = (unset)
    core/project = some-project
    compute/zone = us-central2-b
  
  To see whether everything works: tpuctl doctor
  $ tpuctl config configurations list --format='value(name, is_active, properties.core.project, properties.compute.zone)'
  default\tFalse\t\t (esc)
  work\tTrue\tsome-project\tus-central2-b (esc)
  $ printf '\n9\nnope\n\n\n\n' | tpuctl init 2>&1 | grep 'none of them'
  [9] is none of them.
  [nope] is none of them.
