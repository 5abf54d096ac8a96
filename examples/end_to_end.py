"""The whole path in one go: build a core, encrypt a real file with it, check it, and place it.

Usage: end_to_end.py FOLDER. Each step is an aesforge command, which is printed first. All files are
written to FOLDER.
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
PLACED = ("aesforge-nano",)
"""A small core, which is placed in about a minute."""
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

    mode = ("mode=ctr", "--key", KEY, "--iv", IV)
    sent = aesforge("run", *CORE, *mode, "-i", README, "-o", secret)
    print(f"{sent['blocks']} blocks, {sent['cycles_per_block']} cycles per block")
    aesforge("run", *CORE, *mode, "--decrypt", "-i", secret, "-o", plain)

    cipher = Cipher(algorithms.AES(bytes.fromhex(KEY)), modes.CTR(bytes.fromhex(IV))).encryptor()
    message = README.read_bytes()
    if secret.read_bytes() != cipher.update(message) + cipher.finalize():
        sys.exit(f"{secret} differs from OpenSSL's encryption of {README}")
    if plain.read_bytes() != message:
        sys.exit(f"{plain} differs from {README}")
    print("OpenSSL gives the same ciphertext, and decryption gives the same file again")

    row = aesforge("synth", *PLACED, "--target", "ecp5", "--fresh")
    (folder / "synth.json").write_text(json.dumps(row, indent=2) + "\n", encoding="utf-8")

    page = aesforge("report", "-o", folder / "report.html")

    print(
        f"""
Results
  the core    {bundle} (top {built["top"]}, datasheet {built["top"]}.md)
  the file    {secret}, {len(message):,} bytes, the same as OpenSSL's; decrypted: {plain}
  cycles      {sent["cycles_per_block"]} per block, latency {sent["latency_cycles"]}
  placed      {" ".join(PLACED)} on {row["device"]}:
              {row["lut"]:,} LUT, {row["ff"]:,} FF, {row["bram"]} BRAM, {row["fmax_mhz"]} MHz \
(median of {len(row["fmax_by_seed"])} seeds)
              {row["throughput_mbps"]:,} Mb/s, {row["mbps_per_lut"]} Mb/s per LUT
  the figures {folder / "synth.json"}
  the page    {page["output"]}: this point among all measured points"""
    )


if __name__ == "__main__":
    main()
