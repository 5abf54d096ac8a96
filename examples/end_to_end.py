"""The whole path in one go: build a core, encrypt a real file with it, check, and place it.

Usage: end_to_end.py FOLDER. Each step is a command that can be given by hand; it is shown first.
Everything that is made lies in FOLDER.
"""

import json
import shlex
import subprocess
import sys
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

KEY = "2b7e151628aed2a6abf7158809cf4f3c"
IV = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
CORE = ("kakarlapudi-sbox", "keys=128", "direction=both")
PLACED = ("kakarlapudi-sbox", "keys=128", "direction=encrypt")
README = Path(__file__).resolve().parents[1] / "README.md"


def aesforge(*arguments: object) -> dict:
    """Run a command of aesforge and return its JSON document."""
    words = [str(word) for word in arguments]
    print(f"\n$ aesforge {shlex.join(words)}", flush=True)
    command = [sys.executable, "-m", "aesforge.cli.main", *words, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"it ended with code {done.returncode}")
    return json.loads(done.stdout)


def main() -> None:
    """Run all steps and print a summary."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    bundle, secret, plain = folder / "bundle", folder / "README.enc", folder / "README.dec"

    built = aesforge("build", *CORE, "-o", bundle, "--force")
    print(f"{len(built['files'])} files, top module {built['top']}")

    mode = ("--mode", "ctr", "--key", KEY, "--iv", IV)
    there = aesforge("run", *CORE, *mode, "-i", README, "-o", secret)
    print(f"{there['blocks']} blocks, {there['cycles_per_block']} clocks per block")
    aesforge("run", *CORE, *mode, "--decrypt", "-i", secret, "-o", plain)

    cipher = Cipher(algorithms.AES(bytes.fromhex(KEY)), modes.CTR(bytes.fromhex(IV))).encryptor()
    message = README.read_bytes()
    if secret.read_bytes() != cipher.update(message) + cipher.finalize():
        sys.exit(f"{secret} is not what OpenSSL makes of {README}")
    if plain.read_bytes() != message:
        sys.exit(f"{plain} is not {README}")
    print("OpenSSL makes the same of it, and decrypted it is the same file again")

    row = aesforge("synth", *PLACED, "--target", "ecp5")
    (folder / "synth.json").write_text(json.dumps(row, indent=2) + "\n", encoding="utf-8")

    page = aesforge("report", "-o", folder / "report.html")

    print(
        f"""
What was made
  the core    {bundle} (top {built["top"]}, datasheet {built["top"]}.md)
  the file    {secret}, {len(message):,} bytes, the same as OpenSSL's; decrypted: {plain}
  in clocks   {there["cycles_per_block"]} per block, {there["latency_cycles"]} from block to result
  placed      {" ".join(PLACED)} on {row["device"]}:
              {row["lut"]:,} LUT, {row["ff"]:,} FF, {row["bram"]} BRAM, {row["fmax_mhz"]} MHz \
(median of {len(row["fmax_by_seed"])} seeds)
              {row["throughput_mbps"]:,} Mb/s, {row["mbps_per_lut"]} Mb/s per LUT
  the figures {folder / "synth.json"}
  the page    {page["output"]}: this point among all that are measured"""
    )


if __name__ == "__main__":
    main()
