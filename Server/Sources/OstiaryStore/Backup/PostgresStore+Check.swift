import OstiaryPostgres

extension PostgresStore: CheckedStore {
    private static let checkPatience = Duration.seconds(3600)

    /// Compares the rows of every foreign key. The server itself checks pages, where its checksums are on; a restoration
    /// with disabled triggers leaves rows that no constraint has seen.
    package func findings() async throws -> [StoreFinding] {
        try await snapshot(within: Self.checkPatience) { tx in
            let keys = try await tx.run(Self.foreignKeys).values {
                (table: try $0.text(), other: try $0.text(), columns: try $0.text(), present: try $0.text())
            }
            var findings: [StoreFinding] = []
            for key in keys {
                let orphans = """
                    SELECT count(*) FROM \(key.table) a
                    WHERE \(key.present) AND NOT EXISTS (SELECT 1 FROM \(key.other) b WHERE \(key.columns))
                    """
                let count = try await tx.run(orphans).value { Int(try $0.integer()) } ?? 0
                if count > 0 { findings.append(.orphans(key.table, count)) }
            }
            return findings
        }
    }

    package func accountCounts() async throws -> [(app: String, count: Int)] {
        try await snapshot(within: Self.checkPatience) { tx in
            try await tx.run("SELECT app, count(*) FROM account GROUP BY app ORDER BY app").values {
                (app: try $0.text(), count: Int(try $0.integer()))
            }
        }
    }

    /// The foreign keys of Ostiary's tables, as conditions. The names come from the catalog, quoted by the server.
    private static let foreignKeys = """
        SELECT c.conrelid::regclass::text, c.confrelid::regclass::text,
            (SELECT string_agg(format('b.%I = a.%I', o.attname, m.attname), ' AND ')
             FROM unnest(c.conkey, c.confkey) AS k (mine, other)
             JOIN pg_catalog.pg_attribute m ON m.attrelid = c.conrelid AND m.attnum = k.mine
             JOIN pg_catalog.pg_attribute o ON o.attrelid = c.confrelid AND o.attnum = k.other),
            (SELECT string_agg(format('a.%I IS NOT NULL', m.attname), ' AND ')
             FROM unnest(c.conkey) AS k (mine)
             JOIN pg_catalog.pg_attribute m ON m.attrelid = c.conrelid AND m.attnum = k.mine)
        FROM pg_catalog.pg_constraint c
        WHERE c.contype = 'f' AND c.confrelid IN ('account'::regclass, 'session'::regclass)
        ORDER BY 1, 2, 3
        """
}
