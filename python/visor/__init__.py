"""Visor: compiles, checks, assembles and executes the vISA of Intel GPU kernels on a CPU.

    import numpy as np, visor
    saxpy = visor.compile("saxpy.cl")["saxpy"]
    saxpy(y, x, 2.5, n, global_size=4096, local_size=64)

Arrays go in as they are and are written back before the call returns; arrays from visor.empty and visor.zeros lie
in device memory and are not copied at all. Errors are exceptions that carry the diagnostics or the fault.
docs/python.md has the rest.
"""

from __future__ import annotations

import json as _json
import os as _os
import struct as _struct
import threading as _threading
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence

import numpy as _np

from . import _foreign, _parts, _shown, _visor
from ._code import (Source as _Source, assemble, check, content_of as _content, diff, disassemble, isa, reduce)
from ._errors import CompileError, Error, Fault, LimitError, Unsupported, kinds as _kinds, value as _value

__version__: str = _visor.version
__all__ = ["CompileError", "Device", "Error", "Fault", "Image", "Kernel", "LimitError", "Program", "Result", "Sampler",
           "Unsupported", "assemble", "check", "compile", "device", "devices", "diff", "disassemble", "empty", "from_array",
           "image", "isa", "lane", "lid_x", "lid_y", "lid_z", "local", "opencl_library", "program", "reduce", "run",
           "run_file", "sampler", "tid", "zeros"]

_Array = _np.ndarray[Any, Any]


# ---- arguments ----

lid_x, lid_y, lid_z, lane, tid = (_visor.Filler(kind) for kind in range(5))
"""What fills an input of hand-written vISA: local ids, the channel's number, the hardware thread's number."""


def local(nbytes: int) -> Any:
    """Shared local memory for a local pointer."""
    return _visor.Local(nbytes)


# Half floats are NumPy's own; bf and the packed types have no NumPy type and go in as bytes.
_elements = {"ud": "<u4", "d": "<i4", "uw": "<u2", "w": "<i2", "ub": "u1", "b": "i1", "uq": "<u8", "q": "<i8",
             "f": "<f4", "df": "<f8", "hf": "<f2"}
_dtypes = {name: _np.dtype(text) for name, text in _elements.items()}

_packers = {element: _struct.Struct(code) for element, code in
            (("ud", "<I"), ("d", "<i"), ("uw", "<H"), ("w", "<h"), ("ub", "<B"), ("b", "<b"), ("uq", "<Q"), ("q", "<q"),
             ("f", "<f"), ("df", "<d"), ("hf", "<e"))}

_VALUE, _BUFFER, _LOCAL, _IMAGE, _SAMPLER, _VARIABLE, _SURFACE, _STATE_SAMPLER = range(8)
_opaque = (_visor.Buffer, _visor.Image, _visor.Sampler, _visor.Local, _visor.Filler)


def _device_buffer(array: _Array) -> Any:
    """The device buffer that the array is all of, or None."""
    base = array.base
    while isinstance(base, _np.ndarray):
        base = base.base
    if isinstance(base, memoryview):
        base = base.obj
    return base if isinstance(base, _visor.Buffer) and base.is_all(array) else None


def _array_of(value: Any) -> _Array:
    """The memory of another library's array, or a new array of what NumPy makes one of."""
    try:
        array = _foreign.as_array(value)
    except (BufferError, KeyError, TypeError, ValueError) as error:
        raise Error(f"this array cannot be taken: {error}") from None
    return _np.asarray(value) if array is None else array


class Image:
    """Pixels in device memory: of an array of shape (height, width[, channels]), or zeros."""

    def __init__(self, handle: Any, shape: tuple[int, ...], dtype: Any):
        self._handle, self.shape, self.dtype = handle, shape, dtype

    def __repr__(self) -> str:
        return f"<visor.Image {self.shape} {self.dtype}>"

    def read(self) -> _Array:
        return _np.frombuffer(_value(self._handle.read()), self.dtype).reshape(self.shape).copy()


class Sampler:
    """How an image is read."""

    def __init__(self, handle: Any, words: str = ""):
        self._handle, self._words = handle, words

    def __repr__(self) -> str:
        return f"<visor.Sampler {self._words}>"


class Result:
    """What came of a launch. `result["y"]` is the array or image that the argument `y` was."""

    def __init__(self, launch: Any, kernel: "Kernel | None" = None, values: Sequence[Any] = (),
                 named: Mapping[str, Any] | None = None):
        self._launch, self._kernel, self._values, self._named = launch, kernel, values, named or {}
        self._register_keys: list[Any] = []

    def __getitem__(self, name: str) -> Any:
        if name in self._named:
            return self._named[name]
        for index, value in enumerate(self._values):
            if self._kernel and self._kernel._nth(index, self._named)[0] == name:
                return value
        raise KeyError(name)

    def __repr__(self) -> str:
        return f"<visor.Result {_shown.of_report(self._kernel.name if self._kernel else '', self.report)}>"

    def _repr_html_(self) -> str:
        return _shown.table(self.report)

    @property
    def output(self) -> str:
        """What the kernel printed."""
        return self._launch.output().decode(errors="replace")

    @property
    def report(self) -> dict[str, Any]:
        """Counts, times, the local size that was chosen, which engine ran."""
        return self._launch.report()

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What the checkers found (check=...)."""
        return self._launch.findings()

    @property
    def registers(self) -> dict[str, dict[str, Any]]:
        """Final registers (registers=[...]): those of the first hardware thread by name, others by name, group and
        thread."""
        return dict(zip(self._register_keys, self._launch.registers()))

    def costs(self, format: str = "callgrind") -> str:
        """What its instructions cost (costs=True), as a viewer reads it: callgrind, collapsed (stacks), lcov (which
        lines ran), timeline (Chrome's trace events), page (HTML)."""
        return str(_value(self._launch.costs(format)))

    @property
    def trace(self) -> list[dict[str, Any]]:
        """A dict for every instruction executed (trace=True)."""
        return [_json.loads(line) for line in self._launch.trace().splitlines()]


_checkers = {"memory": 1, "init": 2, "race": 4, "conflict": 8, "align": 16, "sync": 32, "arith": 64, "all": 127}


def _check_bits(check: str | Iterable[str]) -> int:
    names = check.split(",") if isinstance(check, str) else check
    bits = 0
    for name in names:
        if name not in _checkers:
            raise Error(f"there is no checker `{name}`: there are {', '.join(_checkers)}")
        bits |= _checkers[name]
    return bits


def _debugger(chosen: bool | int | str) -> tuple[int, int]:
    """A visor_debugger and its port."""
    if chosen is True:
        return 1, 0
    kind, colon, port = ("dap", ":", str(chosen)) if isinstance(chosen, int) else chosen.partition(":")
    kinds = ("prompt", "dap", "gdb")
    if kind not in kinds or not colon or not port.isdigit() or not 0 < int(port) < 65536:
        raise ValueError(f"debug={chosen!r}: True, a port, or one of {', '.join(name + ':PORT' for name in kinds)}")
    return kinds.index(kind) + 1, int(port)


class Kernel:
    """A kernel, called with its arguments and its size."""

    def __init__(self, handle: Any, device: "Device"):
        self._handle, self._device = handle, device
        self.name: str = handle.name
        self.signature: str = handle.signature
        self.simd: int = handle.simd
        self._hand_written: bool = handle.hand_written
        self.parameters = handle.parameters()
        self._indices = {parameter[0]: index for index, parameter in enumerate(self.parameters)}

    def __repr__(self) -> str:
        return f"<visor.Kernel {self.signature}>"

    def __call__(self, *values: Any, global_size: int | Sequence[int] | None = None,
                 local_size: int | Sequence[int] | None = None, offset: int | Sequence[int] | None = None,
                 groups: int | Sequence[int] | None = None, hw_threads: int | None = None, simd: int | None = None,
                 slm: int | None = None, bti: Mapping[int, Any] | None = None,
                 samplers: Mapping[int, Any] | None = None, check: str | Iterable[str] | None = None,
                 suppress: str | None = None, registers: Sequence[str | tuple[str, int, int]] | None = None,
                 trace: bool = False, costs: bool = False, on_instruction: Callable[[Any], Any] | None = None,
                 on_memory: Callable[[Any], Any] | None = None, engine: str | None = None, seed: int | None = None,
                 fuel: int | None = None, timeout: float | None = None, threads: int | None = None,
                 capture: str | _os.PathLike[str] | None = None, debug: bool | int | str | None = None,
                 **named: Any) -> Result:
        """Runs the kernel to its end. Arguments in order, or by their names; sizes in work-items, or `groups` and
        `hw_threads` for hand-written vISA. `capture` is a folder that the launch is written into, as one that
        run_file launches again. `debug=True` stops in it at a prompt; a port of the loopback, or "dap:PORT", waits for
        an editor there, "gdb:PORT" for gdb, "prompt:PORT" for lines of text."""
        shape = (global_size, local_size, offset, groups, hw_threads, simd, slm)
        options: dict[str, Any] = {}
        settings = _settings(engine, seed, fuel, timeout, threads, self._device._settings)
        if settings is not None:
            options["settings"] = settings
        if check is not None:
            options["checks"] = _check_bits(check)
        if suppress is not None:
            options["suppressions"] = suppress
        if registers is not None:
            options["registers"] = [(choice, 0, 0) if isinstance(choice, str) else choice for choice in registers]
        if trace:
            options["trace"] = True
        if costs:
            options["costs"] = True
        if capture is not None:
            options["capture"] = _os.fspath(capture)
        if debug is not None and debug is not False:
            options["debugger"] = _debugger(debug)
        if on_instruction is not None:
            options["on_instruction"] = on_instruction
        if on_memory is not None:
            options["on_memory"] = on_memory

        copies: dict[Any, tuple[_Array, Any, _Array]] = {}
        arguments: list[Any] = [(None, self._argument(self._nth(index, named), value, copies))
                                for index, value in enumerate(values)]
        for name, value in named.items():
            if name not in self._indices:
                raise Error(f"kernel `{self.name}` has no argument `{name}`: {self.signature}")
            arguments.append((name, self._argument(self.parameters[self._indices[name]], value, copies)))
        for target, table in ((3, bti), (4, samplers)):
            for index, value in (table or {}).items():
                arguments.append(((target, index), self._argument(("", _SURFACE, "", 0, 1, "", False), value, copies)))

        status, message, launch = _visor.run(self._handle, arguments, shape, options)
        result = Result(launch, self, values, named)
        if registers is not None:
            result._register_keys = [choice if isinstance(choice, str) else tuple(choice) for choice in registers]
        if status != 0:
            if launch is None and status == 3:  # the launch, not the program
                raise Error(message, "input")
            try:
                _value((status, message, launch))
            except Fault as error:
                error.fault, error.result = launch.fault(), result
                raise
        for array, buffer, whole in copies.values():
            if array.flags.writeable:
                buffer.copy_to(whole)
                if whole is not array:
                    array[...] = whole
            self._device._give_back(buffer)
        return result

    def _nth(self, index: int, named: Mapping[str, Any]) -> tuple[Any, ...]:
        """The parameter that the value number `index` goes to, as the C API counts."""
        if not named and index < len(self.parameters) and not self._hand_written:
            return self.parameters[index]
        waiting = [parameter for parameter in self.parameters if parameter[0] not in named and not parameter[6]]
        if index >= len(waiting):
            raise Error(f"too many arguments: {self.signature}")
        return waiting[index]

    def _argument(self, parameter: tuple[Any, ...], value: Any, copies: dict[Any, Any]) -> Any:
        kind = parameter[1]
        if isinstance(value, (Image, Sampler)):
            return value._handle
        if value is None or isinstance(value, _opaque):
            return value
        is_memory = kind in (_BUFFER, _SURFACE)
        if is_memory or (kind == _VARIABLE and parameter[4] == 1 and parameter[3] == 8):
            try:
                array = _foreign.as_array(value)
            except (BufferError, KeyError, TypeError, ValueError) as error:
                raise Error(f"argument `{parameter[0]}` of `{self.name}` takes an array: {error}") from None
            if array is None and is_memory:
                raise Error(f"argument `{parameter[0]}` of `{self.name}` takes an array, not {type(value).__name__}")
            if array is not None and (is_memory or array.ndim > 0):
                return self._memory(array, copies)
        return self._bytes(parameter, value)

    def _memory(self, value: _Array, copies: dict[Any, Any]) -> Any:
        """The device buffer of an array: its own, or a copy that is written back."""
        buffer = _device_buffer(value)
        if buffer is not None and self._device._context.owns(buffer):
            return buffer
        key = (_visor.address_of(value) or id(value), value.dtype, value.shape, value.strides)
        if key not in copies:
            whole = value if value.flags.c_contiguous else _np.ascontiguousarray(value)
            copies[key] = (value, self._device._buffer_with(whole), whole)
        return copies[key][1]

    def _bytes(self, parameter: tuple[Any, ...], value: Any) -> Any:
        name, _, element, nbytes, _, type_name, _ = parameter
        if isinstance(value, (bytes, bytearray, memoryview)):
            return value
        if not element and self._hand_written:
            element = type_name
        packer = _packers.get(element)
        if packer is not None and packer.size == nbytes and type(value) in (int, float):
            try:
                return packer.pack(value)
            except (_struct.error, OverflowError) as error:
                raise Error(f"argument `{name}` of `{self.name}` ({type_name}): {error}") from None
        dtype = _dtypes.get(element)
        if dtype is None:
            if isinstance(value, (_np.ndarray, _np.void)):
                return value.tobytes()
            raise Error(f"argument `{name}` of `{self.name}` is a {type_name or 'struct'}: give its bytes")
        try:
            given = _np.asarray(value)
            cast = given.astype(dtype)
            if dtype.kind in "iu" and not _np.array_equal(given, cast):
                raise ValueError(f"{value} is no number of this type")
            data = cast.tobytes()
        except (OverflowError, ValueError, TypeError) as error:
            raise Error(f"argument `{name}` of `{self.name}` ({type_name}): {error}") from None
        if len(data) > nbytes:
            raise Error(f"argument `{name}` of `{self.name}` has {nbytes} bytes, given are {len(data)}")
        return data.ljust(nbytes, b"\0") if self._hand_written or len(data) * 4 == nbytes * 3 else data


class Program(Mapping[str, Kernel]):
    """A loaded file: a mapping of its kernels by name."""

    def __init__(self, handle: Any, device: "Device"):
        self._handle, self._device = handle, device
        self._names: list[str] = handle.kernels()
        self._kernels: dict[str, Kernel] = {}

    def __getitem__(self, name: str) -> Kernel:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._kernels:
            self._kernels[name] = Kernel(_value(self._handle.kernel(name)), self._device)
        return self._kernels[name]

    def __repr__(self) -> str:
        return f"<visor.Program on {self.device}: {', '.join(self._names) or 'no kernels'}>"

    def _repr_html_(self) -> str:
        return _shown.table({name: self._signature(name) for name in self._names})

    def _signature(self, name: str) -> str:
        try:
            return self[name].signature
        except Error as error:  # a refused kernel leaves the others
            return str(error)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    @property
    def device(self) -> str:
        """The name of the device that it runs on."""
        return self._device.name


_engines = {"auto": 0, "interp": 1, "jit": 2}


def _settings(engine: str | None, seed: int | None, fuel: int | None, timeout: float | None, threads: int | None,
              own: Mapping[str, Any]) -> dict[str, Any] | None:
    if engine is None and seed is None and fuel is None and timeout is None and threads is None:
        return None
    given: dict[str, Any] = {"engine": engine, "seed": seed, "fuel": fuel, "timeout": timeout, "threads": threads}
    given = {key: value for key, value in given.items() if value is not None}
    if "engine" in given:
        if given["engine"] not in _engines:
            raise Error(f"there is no engine `{engine}`: there are auto, interp and jit")
        given["engine"] = _engines[given["engine"]]
    return {**own, **given}


class Device:
    """One device with its memory and its settings. Programs and arrays of one device go together."""

    def __init__(self, name: str = "skl", *, engine: str | None = None, seed: int | None = None,
                 fuel: int | None = None, timeout: float | None = None, threads: int | None = None):
        self.name = name
        self._settings: dict[str, Any] = _settings(engine, seed, fuel, timeout, threads, {}) or {}
        self._spare: dict[int, list[Any]] = {}
        try:
            self._context = _visor.Context(name, self._settings)
        except ValueError as error:
            raise Error(str(error)) from None

    def __repr__(self) -> str:
        return f"<visor.Device {' '.join([self.name, *_shown.settings(self._settings)])}>"

    def compile(self, source: _Source, name: str | None = None, options: str = "",
                include: Sequence[str] = (), source_lines: bool = False, compiler: str = "") -> Program:
        """OpenCL C, SPIR-V, a zebin, vISA text or a vISA binary: a path, or the content itself.

        `compiler`: a version ("2.40") or a folder; "" takes $VISOR_COMPILER, else the newest that knows the device.
        """
        content, name = _content(source, name, "kernel.cl")
        return Program(_value(self._context.load(name, content, options, list(include), source_lines, compiler)), self)

    def empty(self, shape: int | Sequence[int], dtype: Any = _np.float32) -> _Array:
        """An array in device memory: launches use it without a copy."""
        dtype = _np.dtype(dtype)
        count = int(_np.prod(shape, dtype=object))
        buffer = _value(self._context.buffer(max(count * dtype.itemsize, 1), None))
        return _np.frombuffer(buffer, dtype, count).reshape(shape)

    zeros = empty  # device memory begins as zeros

    def from_array(self, array: Any) -> _Array:
        array = _array_of(array)
        out = self.empty(array.shape, array.dtype)
        out[...] = array
        return out

    def image(self, pixels: Any, format: str | None = None) -> Image:
        """A two-dimensional image of an array (height, width[, channels])."""
        pixels = _np.ascontiguousarray(_array_of(pixels))
        channels = 1 if pixels.ndim == 2 else pixels.shape[2]
        if pixels.ndim not in (2, 3):
            raise Error("an image is made of an array of shape (height, width) or (height, width, channels)")
        if format is None:
            suffix = {"uint8": "8", "uint16": "16", "float16": "16f", "float32": "32f", "int32": "32i",
                      "uint32": "32u"}.get(pixels.dtype.name)
            if suffix is None or channels not in (1, 2, 4):
                raise Error(f"no image format is like {channels} channels of {pixels.dtype}: say format=")
            format = {1: "r", 2: "rg", 4: "rgba"}[channels] + suffix
        handle = _value(self._context.image(format, 3, [pixels.shape[1], pixels.shape[0], 1, 1],
                                            pixels.reshape(-1).view(_np.uint8)))
        return Image(handle, pixels.shape, pixels.dtype)

    def sampler(self, filter: str = "nearest", address: str = "clamp_edge", normalized: bool = False) -> Sampler:
        filters, addresses = ["nearest", "linear"], ["none", "clamp", "clamp_edge", "repeat", "mirror"]
        if filter not in filters or address not in addresses:
            raise Error(f"a sampler is one of {', '.join(filters)} with one of {', '.join(addresses)}")
        handle = _value(self._context.sampler(filters.index(filter), addresses.index(address), normalized))
        return Sampler(handle, f"{filter} {address}{' normalized' if normalized else ''}")

    def _buffer_with(self, array: _Array) -> Any:
        """A buffer with the array's bytes: one that a launch has done with, or a new one."""
        try:
            buffer = self._spare[array.nbytes].pop()
        except (KeyError, IndexError):
            return _value(self._context.buffer(max(array.nbytes, 1), array if array.nbytes else None))
        buffer.copy_from(array)
        return buffer

    def _give_back(self, buffer: Any) -> None:
        """Keeps a few small buffers for the copies of the next launches: making them costs more than the launch."""
        spare = self._spare.get(buffer.bytes, [])
        if buffer.bytes <= 1 << 20 and len(spare) < 4 and (spare or len(self._spare) < 16):
            self._spare.setdefault(buffer.bytes, spare).append(buffer)


_devices: dict[str, Device] = {}
_devices_lock = _threading.Lock()


def _shared(name: str) -> Device:
    with _devices_lock:
        if name not in _devices:
            _devices[name] = Device(name)
        return _devices[name]


def device(name: str = "skl") -> Device:
    """The device of this name that all functions of this module share."""
    return _shared(name)


def devices() -> list[str]:
    return _visor.devices()


def compile(source: _Source, name: str | None = None, *, device: str = "", options: str = "",
            include: Sequence[str] = (), source_lines: bool = False, compiler: str = "") -> Program:
    """OpenCL C, SPIR-V, a zebin, vISA text or a vISA binary: a path, or the content itself.

    `device`: "" takes what the file names, the oldest that has what vISA written by hand uses, else skl.
    """
    content, name = _content(source, name, "kernel.cl")
    device = device or _visor.find_device(name, content)
    return _shared(device).compile(content, name, options, include, source_lines, compiler)


def run(source: _Source, *values: Any, kernel: str | None = None, device: str = "",
        options: str = "", **named: Any) -> Result:
    """Compiles a source, as `compile` takes it, and calls its kernel: the only one, or the one of this name."""
    program = compile(source, device=device, options=options)
    if kernel is None and len(program) != 1:
        raise Error(f"there are several kernels, say kernel=: {', '.join(program)}")
    return program[kernel or next(iter(program))](*values, **named)


def run_file(path: str | _os.PathLike[str], *, device: str = "", options: str = "", check: str | Iterable[str] | None = None,
             engine: str | None = None, seed: int | None = None, fuel: int | None = None,
             timeout: float | None = None, threads: int | None = None, capture: str | _os.PathLike[str] = "",
             capture_launches: str = "", capture_limit: int = 0) -> dict[str, Any]:
    """Does what a launch file says and returns what came of it (docs/json.md); an error has it as `report`. `capture`
    is a folder, new or empty, that its launches are written into; which ones, and MiB of all, as the command line has
    them (docs/capture.md)."""
    settings = _settings(engine, seed, fuel, timeout, threads, {}) or {}
    bits = 0 if check is None else _check_bits(check)
    status, message, text = _visor.run_file(_os.fspath(path), device, options, settings, bits, _os.fspath(capture),
                                            capture_launches, capture_limit)
    report: Any = None if text is None else _json.loads(text)
    if status != 0:
        kind = Error if status == 3 else _kinds.get(status, Error)
        error = kind(message, _visor.status_name(status))
        error.report = report
        raise error
    return report


def empty(shape: int | Sequence[int], dtype: Any = _np.float32, device: str = "skl") -> _Array:
    """An array in device memory: launches on this device use it without a copy."""
    return _shared(device).empty(shape, dtype)


zeros = empty  # device memory begins as zeros


def from_array(array: Any, device: str = "skl") -> _Array:
    return _shared(device).from_array(array)


def image(pixels: Any, format: str | None = None, device: str = "skl") -> Image:
    return _shared(device).image(pixels, format)


def sampler(filter: str = "nearest", address: str = "clamp_edge", normalized: bool = False,
            device: str = "skl") -> Sampler:
    return _shared(device).sampler(filter, address, normalized)


# ---- the other parts ----

def _part(path: str) -> str:
    return _os.path.normpath(_os.path.join(_os.path.dirname(__file__), path))


def program() -> str:
    """Path of the program `visor`."""
    return _part(_parts.program)


def opencl_library() -> str:
    """Path of the OpenCL platform: for OCL_ICD_FILENAMES, before the first OpenCL call of a process."""
    if not _parts.opencl:
        raise Unsupported("this build has no OpenCL platform", "unsupported")
    return _part(_parts.opencl)
