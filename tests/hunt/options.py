#!/usr/bin/python3
"""Finds the compiler's switches with which a mistake goes away.

    tests/hunt/options.py k.cl --device bmg --compiler 2.40 -- COMMAND...   COMMAND exits with 0 where the mistake is there
    tests/hunt/options.py k.cl --device bmg --compiler 2.40                 only which switches change the vISA
    tests/hunt/options.py --bug unsigned-division-merged [--device bmg --compiler 2.40]
                                                            a mistake of docs/bugs-found.md (at its last place)

Each switch is a variable of the environment, IGC_NAME=VALUE, which every compiler reads (`-igc_opts 'NAME=VALUE'` does the same):
COMMAND need not know of it, and the cache of compiled programs keeps them apart. COMMAND runs without a switch first, then with one at a time. A switch that does
not change the vISA is not run with: a release of the compiler reads few of its switches. The exit code is 0 where a switch
was found, 1 where none was, 2 where COMMAND says that the mistake is not there at all.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), os.environ.get("VISOR_PYTHON_PATH", str(HERE.parents[1] / "build/release/python"))]

import bugs  # noqa: E402
import visor  # noqa: E402

# Names that intel-graphics-compiler documents (IGC/common/igc_flags.h), those that may change the vISA of a kernel. The first
# are coarse: they tell the stage. Of a switch that a release ignores, what is said is only that it changes nothing.
SWITCHES = tuple("""
    ExtraOCLOptions=-cl-opt-disable DisableIGCOptimizations=1 DisableLLVMGenericOptimizations=1 FunctionControl=1 FunctionControl=2
    ForceOCLSIMDWidth=8 ForceOCLSIMDWidth=16 ForceOCLSIMDWidth=32 EnableOCLNewPassManager=0 EnableOCLNewPassManager=1
    DisableLoopUnroll=1 EnableJumpThreading=0 EnableIndVarSimplification=0 EnableGVN=0 EnableGEPLSR=0 allowLICM=0
    DisableLoopSink=1 DisableCodeScheduling=1 DisableCodeSinking=1 DisableCodeHoisting=1 DisableFlattenSmallSwitch=1
    EnableBranchToSelect=0 DisableBranchSwaping=1 EnablePromoteToPredicatedMemoryAccess=1
    DisableMemOpt=1 DisableMemOpt2=1 DisableMergeStore=1 DisableConstantCoalescing=1 LS_enableLoadSplitting=0
    EnableVector8LoadStore=1 EnableVectorizer=0 EnableVectorEmitter=0 DisableOCLScalarizer=1 DisablePHIScalarization=1
    EnableSelectiveScalarizer=1 EnablePromotePhiToSourceWidth=0 EnableScalarPhisMerger=0 DisablePromotePrivMem=1
    DisableSOAPromotion=1 EnableOCLScratchPrivateMemory=0 DisableShrinkArrayAllocaPass=1
    Force32BitIntDivRemEmu=1 Force32BitIntDivRemEmuSP=1 EnableIntDivRemIncrementReduction=0 EnablePartialEmuI64=0
    Enable64BitEmulation=1 EnableMullh=0 EnableWideMulMad=0 EnableIntegerMad=0 EnablePromoteI8=0 ForcePromoteI8=1
    EnableAdd3=0 EnableBfn=0 EnableQWRotateInstructions=0 EnableEmitMoreMoviCases=1 EnableCoalesceScalarMoves=0
    DisableMatchMad=1 DisableMatchPredAdd=1 DisableMatchSimpleAdd=1 DisableMatchFloor=1 DisableMatchPow=1 DisableReducePow=1
    DisableCustomUnsafeOpt=1 DisableFastMathConstantHandling=1 EnableTypeDemotion=0 EnableDeSSA=0 EnableVariableAlias=0
    EnableVariableReuse=0 DisableUniformAnalysis=1 DisableSynchronizationObjectCoalescingPass=1
    DisableAddRequiredMemoryFencesPass=1 DisableRecompilation=1 OCLEnableReassociate=1 ForceNoLSC=1
    """.split())


@dataclass(frozen=True)
class Question:
    source: str
    device: str
    compiler: str
    options: str
    is_wrong: Callable[[str], bool] | None      # with a switch, or with none: ""


def environment(switch: str) -> dict[str, str]:
    name, _, value = switch.partition("=")
    return {f"IGC_{name}": value} if switch else {}


def visa_of(question: Question, switch: str) -> str | None:
    """Without comments and the record of how it was built; None: the compiler refuses that."""
    words = [visor.program(), "dis", "-q", "--device", question.device, question.source]
    if question.options:
        words += ["--options", question.options]
    done = subprocess.run(words, capture_output=True, text=True, check=False,
                          env={**os.environ, "VISOR_COMPILER": question.compiler, **environment(switch)})
    if done.returncode != 0:
        return None
    kept = (re.sub(r"//.*", "", line).rstrip() for line in done.stdout.splitlines())
    return "\n".join(line for line in kept if line and not line.startswith(".build"))


def of_command(command: list[str]) -> Callable[[str], bool]:
    def is_wrong(switch: str) -> bool:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                              env={**os.environ, **environment(switch)}).returncode == 0
    return is_wrong


def of_bug(bug: bugs.Bug, device: str, compiler: str) -> Callable[[str], bool]:
    """In a process of its own: this one's environment stays as it is."""
    return of_command([sys.executable, str(HERE / "options.py"), "--bug", bug.name, "--device", device, "--compiler",
                       compiler, "--is-wrong"])


def sorted_out(question: Question, switches: Iterable[str]) -> dict[str, list[str]]:
    """The switches by what they do."""
    plain = visa_of(question, "")
    found: dict[str, list[str]] = {"gone": [], "stays": [], "refused": [], "ignored": []}
    for switch in switches:
        text = visa_of(question, switch)
        if text is None:
            found["refused"].append(switch)
        elif text == plain:
            found["ignored"].append(switch)
        else:
            stays = question.is_wrong is None or question.is_wrong(switch)
            found["stays" if stays else "gone"].append(switch)
    return found


def report(question: Question, switches: Iterable[str]) -> int:
    """Prints the answer; the exit code."""
    begun = time.monotonic()
    if question.is_wrong is not None and not question.is_wrong(""):
        print("without a switch the mistake is not there")
        return 2
    if visa_of(question, "") is None:
        print("without a switch it does not compile")
        return 2
    found = sorted_out(question, switches)
    stays = "change the vISA" + ("" if question.is_wrong is None else ", and the mistake stays")
    for text, key in (("make it go away", "gone"), (stays, "stays"), ("do not compile", "refused")):
        if found[key]:
            print(f"{text}: {' '.join(found[key])}")
    print(f"change nothing here, or are ignored by this release: {len(found['ignored'])} of "
          f"{sum(len(one) for one in found.values())}; {time.monotonic() - begun:.0f} s")
    return 0 if found["gone"] or question.is_wrong is None else 1


def for_bug(name: str, device: str, compiler: str, only_asks: bool) -> int:
    bug = next((one for one in bugs.BUGS if one.name == name), None)
    if bug is None:
        sys.exit(f"options: there is no {name}; there are {', '.join(one.name for one in bugs.BUGS)}")
    if not device:
        device, compiler = [place for place in bugs.PLACES if place in bug.wrong][-1]
    if only_asks:
        return 0 if bugs.verdict(bug, device, compiler) == "wrong" else 1
    print(f"{name} at {device} {compiler} {bug.options}".rstrip())
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "k.cl"
        source.write_text(bug.source, encoding="utf-8")
        return report(Question(str(source), device, compiler, bug.options, of_bug(bug, device, compiler)), SWITCHES)


def main() -> int:
    words, _, command = ("\0".join(sys.argv[1:])).partition("\0--\0")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="?", metavar="FILE.cl")
    parser.add_argument("--device", default="")
    parser.add_argument("--compiler", default="")
    parser.add_argument("--options", default="", help="that the kernel is compiled with")
    parser.add_argument("--bug", metavar="NAME", help="of docs/bugs-found.md, instead of a file and a command")
    parser.add_argument("--is-wrong", action="store_true", help="with --bug: the exit code says whether it is there")
    arguments = parser.parse_args(words.split("\0") if words else [])
    if arguments.bug:
        return for_bug(arguments.bug, arguments.device, arguments.compiler, arguments.is_wrong)
    if not (arguments.source and arguments.device and arguments.compiler):
        parser.error("FILE.cl, --device and --compiler are needed, or --bug")
    is_wrong = of_command(command.split("\0")) if command else None
    return report(Question(arguments.source, arguments.device, arguments.compiler, arguments.options, is_wrong), SWITCHES)


if __name__ == "__main__":
    sys.exit(main())
