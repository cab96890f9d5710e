/// A PostgreSQL server keeps acknowledged writes.
package struct PostgresCheck: DoctorCheck {
    package static let name = "postgres"

    let facts: Observed<PostgresFacts>

    package init(facts: Observed<PostgresFacts>) { self.facts = facts }

    package func findings() -> [DoctorFinding] {
        switch facts {
        case .unknown(let reason):
            return [
                error(
                    "postgres_unreachable", reason,
                    remedy: "Correct store in the configuration, or the server's pg_hba.conf and listen_addresses.")
            ]
        case .value(let facts):
            let problems = settings(facts) + standbys(facts)
            let standbys = facts.standbys == 1 ? "1 standby is" : "\(facts.standbys) standbys are"
            return problems.isEmpty
                ? [
                    ok(
                        "Acknowledged writes are flushed (synchronous_commit = \(facts.synchronousCommit)); \(standbys) connected."
                    )
                ]
                : problems
        }
    }

    private func settings(_ facts: PostgresFacts) -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        if !facts.fsync {
            findings.append(
                error(
                    "postgres_fsync", "fsync is off: a crash of the machine damages the database.",
                    remedy: "Set fsync = on in postgresql.conf and restart the database server."))
        }
        if !facts.fullPageWrites {
            findings.append(
                error(
                    "postgres_full_page_writes", "full_page_writes is off: a crash can leave torn pages.",
                    remedy: "Set full_page_writes = on in postgresql.conf and reload."))
        }
        if facts.synchronousCommit == "off" {
            findings.append(
                error(
                    "postgres_synchronous_commit",
                    "synchronous_commit is off: a crash loses changes that were acknowledged.",
                    remedy: "Set synchronous_commit = on for the server, or for the role and the database of Ostiary."))
        }
        return findings
    }

    private func standbys(_ facts: PostgresFacts) -> [DoctorFinding] {
        if facts.isStandby {
            return [
                error(
                    "postgres_read_only", "The database server is a standby, which accepts no write.",
                    remedy: "List every server in store with target_session_attrs=read-write.")
            ]
        }
        guard !facts.synchronousStandbyNames.isEmpty else { return [] }
        if facts.standbys == 0 {
            return [
                error(
                    "postgres_standby_missing",
                    "synchronous_standby_names is set, and no standby is connected: commits wait for one.",
                    remedy: "Start the standby, or empty synchronous_standby_names until it is back.")
            ]
        }
        guard facts.synchronousCommit == "local" else { return [] }
        return [
            warning(
                "postgres_commit_local", "synchronous_commit is local: a failover loses the last changes.",
                remedy: "Set synchronous_commit = on, so that commits wait for the standby.")
        ]
    }
}
