import OstiaryPostgres
import PostgresServer
import Testing

/// The tests that break the shared server of ``Stage``, one after the other.
@Suite(.serialized, .enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct StageTests {}
