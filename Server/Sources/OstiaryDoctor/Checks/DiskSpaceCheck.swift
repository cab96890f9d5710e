/// The disks have space, and inodes for the files of the write-ahead log and of backups.
package struct DiskSpaceCheck: DoctorCheck {
    package static let name = "disk"

    private static let fullBytes = 100 << 20
    private static let lowBytes = 1 << 30
    private static let lowShare = 0.05

    let volumes: [VolumeFacts]

    package init(volumes: [VolumeFacts]) { self.volumes = volumes }

    package func findings() -> [DoctorFinding] {
        guard !volumes.isEmpty else { return [skipped("There is no directory of this server yet.")] }
        return volumes.flatMap { volume in
            let problems = [bytes(volume), inodes(volume)].compactMap(\.self)
            return problems.isEmpty
                ? [
                    ok(
                        "\(Self.size(volume.freeBytes)) of \(Self.size(volume.totalBytes)) are free.",
                        subject: volume.path)
                ]
                : problems
        }
    }

    private func bytes(_ volume: VolumeFacts) -> DoctorFinding? {
        let remedy = "Free space, or enlarge the volume: without space the server refuses every change."
        let text = "\(Self.size(volume.freeBytes)) of \(Self.size(volume.totalBytes)) are free."
        if volume.freeBytes < Self.fullBytes { return error("disk_full", text, subject: volume.path, remedy: remedy) }
        let isLow =
            volume.freeBytes < Self.lowBytes || Double(volume.freeBytes) < Double(volume.totalBytes) * Self.lowShare
        return isLow ? warning("disk_low", text, subject: volume.path, remedy: remedy) : nil
    }

    private func inodes(_ volume: VolumeFacts) -> DoctorFinding? {
        guard volume.totalInodes > 0 else { return nil }
        let share = Double(volume.freeInodes) / Double(volume.totalInodes)
        let text = "\(volume.freeInodes) of \(volume.totalInodes) inodes are free."
        let remedy = "Remove small files: without inodes no file can be created, however much space is free."
        if volume.freeInodes < 100 { return error("inodes_exhausted", text, subject: volume.path, remedy: remedy) }
        return share < Self.lowShare ? warning("inodes_low", text, subject: volume.path, remedy: remedy) : nil
    }

    static func size(_ bytes: Int) -> String {
        bytes >= 1 << 30 ? "\(bytes >> 30) GiB" : "\(bytes >> 20) MiB"
    }
}
