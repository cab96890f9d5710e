#!/usr/bin/env python3
"""Makes the artefacts of a release from a built program: an archive, a Debian package, a software bill of materials, checksums.

  release.py --program PATH --output DIR [--version VERSION] [--image]

The same program, sources and time (SOURCE_DATE_EPOCH, by default that of the commit) give the same bytes, but for the image, which has
Debian's packages of the day. With --image an image in OCI layout is made too, without a daemon: it needs root, mmdebstrap and umoci.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNIT = ROOT / "Deploy/systemd/ostiary.service"
DOCUMENTS = ["LICENSE", "NOTICE", "CHANGELOG.md"]
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
SUITE = "bookworm"
SUMMARY = "sign-in for apps: a self-hosted auth server"


def run(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **options).stdout


class Release:
    def __init__(self, program, output, version, moment):
        self.output, self.version, self.moment = output, version, moment
        self.architecture = ARCHITECTURES[os.uname().machine]
        self.directory = Path(tempfile.mkdtemp(prefix="ostiary-release-"))
        self.program = self.directory / "ostiary"
        shutil.copyfile(program, self.program)
        run("strip", "--strip-unneeded", self.program)
        self.program.chmod(0o755)

    def close(self):
        shutil.rmtree(self.directory)

    # The files of each artefact, by their path in it.

    def archived(self):
        name = f"ostiary-{self.version}-linux-{self.architecture}"
        files = {f"{name}/ostiary": (self.program.read_bytes(), 0o755),
                 f"{name}/ostiary.service": (UNIT.read_bytes(), 0o644)}
        for document in DOCUMENTS:
            files[f"{name}/{document}"] = ((ROOT / document).read_bytes(), 0o644)
        return name, files

    def installed(self):
        files = {"./usr/bin/ostiary": (self.program.read_bytes(), 0o755),
                 "./lib/systemd/system/ostiary.service": (UNIT.read_bytes(), 0o644),
                 "./usr/share/doc/ostiary/copyright": (self.copyright(), 0o644)}
        changes = gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), mtime=self.moment)
        files["./usr/share/doc/ostiary/NEWS.gz"] = (changes, 0o644)
        return files

    def copyright(self):
        return (ROOT / "NOTICE").read_bytes() + b"\n" + (ROOT / "LICENSE").read_bytes()

    # Artefacts

    def archive(self):
        name, files = self.archived()
        path = self.output / f"{name}.tar.gz"
        path.write_bytes(gzip.compress(tar(files, self.moment), mtime=self.moment))
        return path

    def debian_package(self):
        path = self.output / f"ostiary_{self.version.replace('-', '~')}_{self.architecture}.deb"
        root = self.directory / "root"
        for name, (content, mode) in self.installed().items():
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            file.chmod(mode)
        control = root / "DEBIAN"
        control.mkdir()
        (control / "control").write_text(self.control())
        for script in sorted((ROOT / "Deploy/debian").iterdir()):
            shutil.copyfile(script, control / script.name)
            (control / script.name).chmod(0o755)
        for directory, _, _ in os.walk(root):
            os.chmod(directory, 0o755)
        run("dpkg-deb", "--build", "--root-owner-group", "-Zxz", root, path,
            env=os.environ | {"SOURCE_DATE_EPOCH": str(self.moment)})
        return path

    def image(self, package):
        """A Debian root with the package and what it depends on, as one layer. Its program serves as its user."""
        root, path = self.directory / "image", self.output / f"ostiary-{self.version}-oci"
        run("mmdebstrap", "--quiet", "--variant=essential", f"--include=ca-certificates,{package.resolve()}",
            "--hook-dir=/usr/share/mmdebstrap/hooks/file-mirror-automount", SUITE, root,
            env=os.environ | {"SOURCE_DATE_EPOCH": str(self.moment)})
        for name in ["usr/share/doc", "usr/share/man", "usr/share/locale", "var/lib/apt/lists", "var/cache"]:
            shutil.rmtree(root / name, ignore_errors=True)
        image = f"{path}:{self.version}"
        shutil.rmtree(path, ignore_errors=True)
        run("umoci", "init", "--layout", path)
        run("umoci", "new", "--image", image)
        command = ["serve", "--config", "/etc/ostiary/ostiary.yaml", "--data", "/var/lib/ostiary", "--listen", "0.0.0.0:3001"]
        run("umoci", "config", "--image", image, "--no-history", "--created", rfc3339(self.moment), "--os", "linux",
            "--architecture", self.architecture, "--config.user", "ostiary", "--config.workingdir", "/var/lib/ostiary",
            "--config.entrypoint", "/usr/bin/ostiary", *(f"--config.cmd={word}" for word in command),
            "--config.exposedports", "3001/tcp", "--config.volume", "/var/lib/ostiary")
        run("umoci", "insert", "--image", image, "--history.created", rfc3339(self.moment), "--history.created_by",
            f"ostiary {self.version}", root, "/")
        run("umoci", "gc", "--layout", path)
        archive = self.output / f"ostiary-{self.version}-linux-{self.architecture}-oci.tar"
        files = {file.relative_to(path).as_posix(): (file.read_bytes(), 0o644) for file in path.rglob("*") if file.is_file()}
        archive.write_bytes(tar(files, self.moment))
        shutil.rmtree(path)
        return archive

    def control(self):
        size = sum(len(content) for content, _ in self.installed().values()) // 1024
        return (f"Package: ostiary\nVersion: {self.version.replace('-', '~')}\nArchitecture: {self.architecture}\n"
                f"Maintainer: the Ostiary authors <ostiary@localhost>\nInstalled-Size: {size}\n"
                f"Depends: {', '.join(self.libraries())}, passwd\nRecommends: ca-certificates\nSection: net\n"
                f"Priority: optional\nDescription: {SUMMARY}\n"
                " Ostiary serves the auth API of one app or several, each to the letter of its contract, on SQLite or\n"
                " PostgreSQL, with second factors, passkeys, a built-in OpenID provider and a console.\n")

    def libraries(self):
        """The packages whose libraries the program is linked with, with the versions that have the symbols it uses."""
        place = self.directory / "shlibdeps"
        (place / "debian").mkdir(parents=True, exist_ok=True)
        (place / "debian/control").write_text("Source: ostiary\n\nPackage: ostiary\nArchitecture: any\n")
        found = run("dpkg-shlibdeps", "-O", "--ignore-missing-info", f"-e{self.program}", cwd=place)
        return found.strip().removeprefix("shlibs:Depends=").split(", ")

    def bill_of_materials(self):
        path = self.output / f"ostiary-{self.version}.cdx.json"
        components = [swift_component(pin) for pin in pins()] + [
            debian_component(each.split(" ")[0], self.architecture) for each in self.libraries()]
        components.sort(key=lambda component: component["bom-ref"])
        program = {"type": "application", "bom-ref": "ostiary", "name": "ostiary", "version": self.version,
                   "licenses": [{"license": {"id": "Apache-2.0"}}],
                   "hashes": [{"alg": "SHA-256", "content": digest(self.program.read_bytes())}]}
        document = {
            "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
            "metadata": {"timestamp": rfc3339(self.moment), "component": program}, "components": components,
            "dependencies": [{"ref": "ostiary", "dependsOn": [each["bom-ref"] for each in components]}]}
        # The serial number of the same content is the same.
        content = json.dumps(document, sort_keys=True)
        document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}"
        path.write_text(json.dumps(document, indent=2, sort_keys=True) + "\n")
        return path

    def checksums(self, artefacts):
        path = self.output / "SHA256SUMS"
        path.write_text("".join(f"{digest(each.read_bytes())}  {each.name}\n" for each in sorted(artefacts)))
        return path


def tar(files, moment):
    """The bytes of an archive in which nothing depends on the machine that made it."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, (content, mode) in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(content), mode, moment
            entry.uname = entry.gname = "root"
            archive.addfile(entry, io.BytesIO(content))
    return written.getvalue()


def pins():
    """The Swift packages of the build."""
    resolved = json.loads((ROOT / "Server/Package.resolved").read_text())
    return sorted(resolved["pins"], key=lambda pin: pin["identity"])


def swift_component(pin):
    location, state = pin["location"], pin["state"]
    place = re.sub(r"^https://|\.git$", "", location)
    version = state.get("version") or state["revision"]
    return {"type": "library", "bom-ref": f"pkg:swift/{place}@{version}", "purl": f"pkg:swift/{place}@{version}",
            "name": pin["identity"], "version": version}


def debian_component(package, architecture):
    version = run("dpkg-query", "--show", "--showformat=${Version}", package)
    reference = f"pkg:deb/debian/{package}@{version}?arch={architecture}"
    return {"type": "library", "bom-ref": reference, "purl": reference, "name": package, "version": version}


def digest(content):
    return hashlib.sha256(content).hexdigest()


def rfc3339(moment):
    return run("date", "--utc", f"--date=@{moment}", "+%Y-%m-%dT%H:%M:%SZ").strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("--version", help="by default that of the program")
    parser.add_argument("--image", action="store_true", help="make an OCI image too")
    options = parser.parse_args()
    version = options.version or run(options.program, "--version").strip()
    moment = int(os.environ.get("SOURCE_DATE_EPOCH") or run("git", "log", "-1", "--format=%ct", cwd=ROOT))
    options.output.mkdir(parents=True, exist_ok=True)
    release = Release(options.program, options.output, version, moment)
    try:
        package = release.debian_package()
        artefacts = [release.archive(), package, release.bill_of_materials()]
        if options.image:
            artefacts.append(release.image(package))
        artefacts.append(release.checksums(artefacts))
    except subprocess.CalledProcessError as problem:
        sys.exit(f"{' '.join(problem.cmd)}: {problem.stderr}")
    finally:
        release.close()
    for artefact in artefacts:
        print(f"{artefact}  {artefact.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
