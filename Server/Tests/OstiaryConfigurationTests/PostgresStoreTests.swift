import OstiaryConfiguration
import OstiaryCore
import Testing

@Suite struct PostgresStoreTests {
    private static let head = "mode: development\nencryption_key: MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=\n"

    private func store(_ url: String) throws -> StoreLocation {
        try read("\(Self.head)store: \"\(url)\"\napps: {clarity: }").store
    }

    @Test(arguments: [
        "postgres://ostiary:p%40ss@h1.example.com,h2.example.com:5433/ostiary?sslmode=verify-full&pool_size=200",
        "postgresql://localhost/ostiary", "postgres://u@[::1]:5432/o?pooler=transaction", "postgres://%2Ftmp/o",
        "postgres:///o?host=/run/postgresql&user=o&password=p", "postgres://127.0.0.1?dbname=o",
        "postgres://db.example.com/o?sslmode=require&target_session_attrs=primary",
    ])
    func `takes it as it is`(url: String) throws {
        #expect(try store(url) == .postgres(url: Secret(url)))
        #expect(try store(url).isShared)
    }

    @Test func `takes it from the environment`() throws {
        let configuration = try read(
            "\(Self.head)apps: {clarity: }", ["OSTIARY_STORE": "postgres://u:p@127.0.0.1/o"])
        #expect(configuration.store == .postgres(url: Secret("postgres://u:p@127.0.0.1/o")))
    }

    @Test(arguments: [
        ("postgres://u:CaNaRy@127.0.0.1/o", "postgres://u:***@127.0.0.1/o"),
        (
            "postgres://u@127.0.0.1/o?password=CaNaRy&sslmode=disable",
            "postgres://u@127.0.0.1/o?password=***&sslmode=disable"
        ),
        ("postgres://127.0.0.1/o?sslpassword=CaNaRy&user=u", "postgres://127.0.0.1/o?sslpassword=***&user=u"),
        ("postgres://u:a:CaNaRy@127.0.0.1/o", "postgres://u:***@127.0.0.1/o"),
    ])
    func `masks its password`(url: String, shown: String) throws {
        let configuration = try read("\(Self.head)store: \"\(url)\"\napps: {clarity: }")
        #expect(configuration.show().contains("store: \"\(shown)\"\n"))
        #expect(!"\(configuration)\(String(reflecting: configuration))\(configuration.store)".contains("CaNaRy"))
    }

    @Test func `tells no password in a problem, whatever is broken`() {
        let url = Array("postgres://u:CaNaRyCaNaRy@127.0.0.1/o?password=CaNaRyCaNaRy&sslmode=prefer".utf8)
        var count = 0
        for index in url.indices {
            for byte in ["", "@", "?", "&", "=", "%", "/", ":", ","] {
                let broken = String(decoding: url[..<index] + Array(byte.utf8) + url[(index + 1)...], as: UTF8.self)
                guard let line = refusal("\(Self.head)store: \"\(broken)\"\napps: {clarity: }") else { continue }
                count += 1
                #expect(!line.contains("aN") && !line.contains("\n"), "\(line)")
            }
        }
        #expect(count > 300)
    }

    @Test(arguments: [
        ("vici: ", "vici.jwt_secret"),
        ("vici: {jwt_secret: \(goodSecret)}", "vici.jwt_refresh_secret"),
        ("clarity: {tokens: {signing: hs256}}", "clarity.jwt_secret"),
    ])
    func `wants the secrets that nodes share, in development too`(app: String, key: String) {
        #expect(
            refusal("\(Self.head)store: postgres://localhost/o\napps: {\(app)}")
                == "apps.\(key): needs a secret in every mode with PostgreSQL: the nodes share it")
    }

    @Test func `reads what a command line says`() throws {
        #expect(try StoreLocation("sqlite:a.db", option: "--from") == .sqlite(path: "a.db"))
        #expect(throws: ConfigurationProblem.self) { try StoreLocation("a.db", option: "--from") }
        do {
            _ = try StoreLocation("postgres://u:p@db.example.com/o", option: "--to")
            Issue.record("a remote database without TLS was taken")
        } catch {
            #expect(
                error.description
                    == "--to: needs TLS to a remote database: add sslmode=verify-full (or require)")
        }
    }
}
