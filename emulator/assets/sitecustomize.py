# SPDX-License-Identifier: Apache-2.0
"""Read by every Python on an emulated worker, before the program.

Training on CPU opens no TPU, but Cloud TPU's notice goes to the processes that hold the device. So the device file is
opened, and kept open, when JAX or PyTorch/XLA is imported. JAX also asks whether this is a Cloud TPU VM before it looks
for its peers in the metadata; here it is told so.
"""
import os
import sys

_held = []


def _hold_device(_module):
    path = os.environ.get("TPUCTL_ACCEL_DEVICE")
    if path and not _held:
        try:
            _held.append(os.open(path, os.O_RDWR | os.O_CLOEXEC))
        except OSError as error:
            sys.stderr.write("tpuctl emulator: cannot open the device file: %s\n" % error)


def _is_tpu_vm(module):
    """JAX finds no chips and then wants neither to be on a TPU VM nor to ask the metadata server; both are undone."""
    look = getattr(module, "cloud_tpu_init", None)
    if look is None:
        return

    def cloud_tpu_init(*arguments):
        before = os.environ.get("TPU_SKIP_MDS_QUERY")
        look(*arguments)
        if before is None:
            os.environ.pop("TPU_SKIP_MDS_QUERY", None)
        module.running_in_cloud_tpu_vm = True

    module.cloud_tpu_init = cloud_tpu_init
    module.running_in_cloud_tpu_vm = True


_BEFORE = {"jax": _hold_device, "torch_xla": _hold_device}
_AFTER = {"jax._src.cloud_tpu_init": _is_tpu_vm}


class _Watch:
    """Finds nothing itself: has the other finders find, and hangs its errand on the loader."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name not in _BEFORE and name not in _AFTER:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            if finder is cls or find is None:
                continue
            spec = find(name, path, target)
            if spec is not None:
                cls._wrap(spec.loader, name)
                return spec
        return None

    @staticmethod
    def _wrap(loader, name):
        execute = getattr(loader, "exec_module", None)
        if execute is None:
            return

        def exec_module(module):
            _BEFORE.get(name, lambda _: None)(module)
            execute(module)
            _AFTER.get(name, lambda _: None)(module)

        try:
            loader.exec_module = exec_module
        except AttributeError:
            _BEFORE.get(name, lambda _: None)(None)


def _chain():
    """This file hides a sitecustomize that was there before; it runs now."""
    from importlib.machinery import PathFinder

    here = os.path.dirname(os.path.realpath(__file__))
    others = [entry for entry in sys.path if os.path.realpath(entry or ".") != here]
    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is None or spec.loader is None:
        return
    from importlib.util import module_from_spec

    module = module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


sys.meta_path.insert(0, _Watch)
_chain()
