Properties: set, read, listed and removed, in the files that gcloud reads and writes.

The first property makes the files:

  $ ls -A "$HOME"
  $ tpuctl config set project my-project
  Updated property [core/project].
  $ tpuctl config set compute/zone us-central2-b
  Updated property [compute/zone].
  $ (cd "$HOME" && find . -type f | sort)
  ./.config/gcloud/active_config
  ./.config/gcloud/config_sentinel
  ./.config/gcloud/configurations/config_default
  $ cat "$HOME/.config/gcloud/configurations/config_default"
  [core]
  project = my-project
  
  [compute]
  zone = us-central2-b
  
  $ stat -c %a "$HOME/.config/gcloud/configurations"
  700
  $ tpuctl config get project
  my-project
  $ tpuctl config get-value compute/zone
  us-central2-b
  $ tpuctl config get core/project --format=json
  "my-project"
  $ tpuctl config list
  [compute]
  zone = us-central2-b
  [core]
  project = my-project
  
  Your active configuration is: [default]
  $ tpuctl config list compute/
  [compute]
  zone = us-central2-b
  
  Your active configuration is: [default]
  $ tpuctl config list --format=json
  {
    "compute": {
      "zone": "us-central2-b"
    },
    "core": {
      "project": "my-project"
    }
  }
  $ tpuctl config list --format='value(compute.zone)'
  us-central2-b

A property that has no value, one that has a default, and one of our own:

  $ tpuctl config get account
  (unset)
  $ tpuctl config get ssh/port
  (unset)
  Defaults to  22
  $ tpuctl config set ssh/port 2222
  Updated property [ssh/port].
  $ tpuctl config get ssh/port
  2222
  $ tpuctl config unset ssh/port
  Unset property [ssh/port].
  $ tpuctl config unset compute/region
  Unset property [compute/region].
  $ cat "$HOME/.config/gcloud/configurations/config_default"
  [core]
  project = my-project
  
  [compute]
  zone = us-central2-b
  
  [ssh]
  

What does not exist is refused, before anything is written:

  $ tpuctl config set projcet my-project
  ERROR: (tpuctl.config.set) Section [core] has no property [projcet].
  [1]
  $ tpuctl config set compute/zonee x
  ERROR: (tpuctl.config.set) Section [compute] has no property [zonee].
  [1]
  $ tpuctl config set nosection/zone x
  ERROR: (tpuctl.config.set) Section "nosection" does not exist.
  [1]
  $ tpuctl config get compute/zonee
  ERROR: (tpuctl.config.get) Section [compute] has no property [zonee].
  [1]
  $ tpuctl config set compute/zone
  ERROR: (tpuctl.config.set) argument VALUE: Must be specified.
  Run `tpuctl config set --help` for its flags.
  [2]
  $ tpuctl config set
  ERROR: (tpuctl.config.set) argument PROPERTY: Must be specified.
  Run `tpuctl config set --help` for its flags.
  [2]
  $ tpuctl config sett compute/zone x
  ERROR: (tpuctl.config) Invalid choice: 'sett'. Did you mean 'set'?
  Run `tpuctl config --help` for its commands.
  [2]
  $ tpuctl config set disable_prompts maybe
  ERROR: (tpuctl.config.set) Invalid value for property [core/disable_prompts]: The [disable_prompts] value [maybe] is not valid. Possible values: [true, 1, on, yes, y, false, 0, off, no, n, '', none]. (See http://yaml.org/type/bool.html)
  [1]
  $ tpuctl config set tpu/api_version v3
  ERROR: (tpuctl.config.set) Invalid value for property [tpu/api_version]: The tpu api_version property value [v3] is not valid. Possible values: [v2, v2alpha1].
  [1]
  $ tpuctl config set ssh/port ssh
  ERROR: (tpuctl.config.set) Invalid value for property [ssh/port]: [ssh] is no port number.
  [1]
  $ tpuctl config list --format='value(core.disable_prompts, tpu.api_version, ssh.port)'
  \t\t (esc)

The environment goes before the file, and says so:

  $ CLOUDSDK_CORE_PROJECT=other tpuctl config get project
  other
  $ CLOUDSDK_CORE_PROJECT=other tpuctl config set project third
  WARNING: Property [project] is overridden by environment setting [CLOUDSDK_CORE_PROJECT=other]
  Updated property [core/project].
  $ tpuctl config get project
  third
  $ CLOUDSDK_COMPUTE_ZONE=europe-west4-b tpuctl config list --show-source
  [compute]
  zone = europe-west4-b  # CLOUDSDK_COMPUTE_ZONE
  [core]
  project = third  # */home/.config/gcloud/configurations/config_default (glob)
  
  Your active configuration is: [default]
  $ tpuctl config get project --project=flag
  flag

What gcloud wrote and we do not know stays:

  $ cat >"$HOME/.config/gcloud/configurations/config_default" <<'INI'
  > [core]
  > project = kept
  > 
  > [container]
  > cluster = mine
  > INI
  $ tpuctl config set compute/zone us-central2-b
  Updated property [compute/zone].
  $ cat "$HOME/.config/gcloud/configurations/config_default"
  [core]
  project = kept
  
  [container]
  cluster = mine
  
  [compute]
  zone = us-central2-b
  

Another configuration, by flag and by environment:

  $ printf '[core]\nproject = dev-project\n' >"$HOME/.config/gcloud/configurations/config_dev"
  $ tpuctl config get project --configuration=dev
  Your active configuration is: [dev]
  dev-project
  $ CLOUDSDK_ACTIVE_CONFIG_NAME=dev tpuctl config get project
  Your active configuration is: [dev]
  dev-project
  $ tpuctl config get project --configuration=nothere
  Your active configuration is: [nothere]
  (unset)

A broken file names itself and its line:

  $ printf '[core]\nproject = x\nthis is no setting\n' >"$HOME/.config/gcloud/configurations/config_default"
  $ tpuctl config list
  ERROR: (tpuctl.config.list) */home/.config/gcloud/configurations/config_default:3: neither a [section] header nor NAME = VALUE. (glob)
  Correct the file by hand; gcloud cannot read it either.
  [1]
  $ tpuctl tpu-vm list
  ERROR: (tpuctl.tpu-vm.list) */home/.config/gcloud/configurations/config_default:3: neither a [section] header nor NAME = VALUE. (glob)
  Correct the file by hand; gcloud cannot read it either.
  [1]
  $ printf '[core\nproject = x\n' >"$HOME/.config/gcloud/configurations/config_default"
  $ tpuctl config get project
  ERROR: (tpuctl.config.get) */home/.config/gcloud/configurations/config_default:1: a [section] header is expected before the first property. (glob)
  Correct the file by hand; gcloud cannot read it either.
  [1]
  $ tpuctl --version
  tpuctl [0-9.]+ (re)
  $ tpuctl config set project y
  ERROR: (tpuctl.config.set) */home/.config/gcloud/configurations/config_default:1: a [section] header is expected before the first property. (glob)
  Correct the file by hand; gcloud cannot read it either.
  [1]
  $ cat "$HOME/.config/gcloud/configurations/config_default"
  [core
  project = x

A home that cannot hold the files:

  $ touch "$HOME/a-file"
  $ HOME=$HOME/a-file tpuctl config set project x
  ERROR: (tpuctl.config.set) Cannot make the folder [*/home/a-file/.config]: Not a directory. (glob)
  [1]
  $ CLOUDSDK_CONFIG=/proc/nothing tpuctl config set project x
  ERROR: (tpuctl.config.set) Cannot make the folder [/proc/nothing]: No such file or directory.
  [1]
  $ CLOUDSDK_CONFIG=$HOME/elsewhere tpuctl config set project there
  Updated property [core/project].
  $ ls -A "$HOME/elsewhere"
  active_config
  config_sentinel
  configurations
