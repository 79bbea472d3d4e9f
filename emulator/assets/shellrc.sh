# SPDX-License-Identifier: Apache-2.0
# Read by an interactive shell on an emulated worker.
[ -n "${BASH_VERSION-}" ] && [ -r "$HOME/.bashrc" ] && . "$HOME/.bashrc"
case ":$PATH:" in
  ":$TPUCTL_WORKER_FOLDER/bin:"*) ;;
  *) PATH=$TPUCTL_WORKER_FOLDER/bin:$PATH ;;
esac
if [ -n "${BASH_VERSION-}" ]; then
  PS1="\\u@$TPUCTL_WORKER_NAME:\\w\\\$ "
else
  PS1="$USER@$TPUCTL_WORKER_NAME:\$PWD\$ "
fi
