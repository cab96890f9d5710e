import Foundation
import OstiaryContracts
import OstiaryEngine
import OstiaryHTTP
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MetricsTests {
    /// Returns `true` for a line of the text format: a comment, or a name, labels and a number. Source: Prometheus
    /// exposition format 0.0.4.
    private static func isValid(_ line: Substring) -> Bool {
        if line.hasPrefix("#") {
            return line.wholeMatch(
                of: /# (HELP [a-zA-Z_:][a-zA-Z0-9_:]* .+|TYPE [a-zA-Z_:][a-zA-Z0-9_:]* (counter|gauge|histogram))/)
                != nil
        }
        let sample = /[a-zA-Z_:][a-zA-Z0-9_:]*(\{([a-z]+="([^"\\\n]|\\["\\n])*",?)*\})? ([^ ]+)/
        guard let match = line.wholeMatch(of: sample) else { return false }
        return Double(match.4) != nil
    }

    /// Returns the value of a series; nil if it is missing.
    private func value(_ series: String, _ text: String) -> Double? {
        text.split(separator: "\n").first { $0.hasPrefix("\(series) ") }.flatMap {
            Double($0.dropFirst(series.count + 1))
        }
    }

    @Test func `is text that Prometheus reads`() async throws {
        let world = try await World()
        try await LiveServer.run(
            world, adjust: { $0.metrics = Metrics(others: { [MetricFamily(.connectionsOpen, 3)] }) }
        ) { server in
            _ = try await server.ask("/vici/api/auth/me")
            _ = try await server.ask("/nowhere/\"\\")
            let answer = try await server.ask("/metrics")
            #expect(answer["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
            let lines = answer.body.split(separator: "\n")
            #expect(lines.count > 10)
            for line in lines { #expect(Self.isValid(line), "\(line)") }
            #expect(answer.body.hasSuffix("\n"))
            #expect(value("ostiary_connections_open", answer.body) == 3)
        }
    }

    @Test func `PT-02: shows counters with a label`() {
        let metrics = Metrics(others: { [MetricFamily(.messagesHeldBack, [(["a"], 2), (["b"], 0)])] })
        for line in metrics.text.split(separator: "\n") { #expect(Self.isValid(line), "\(line)") }
        #expect(value(#"ostiary_messages_held_back_total{cap="a"}"#, metrics.text) == 2)
        #expect(value(#"ostiary_messages_held_back_total{cap="b"}"#, metrics.text) == 0)
    }

    @Test func `escapes the values of labels`() {
        let metrics = Metrics(others: { [MetricFamily(.buildInfo, [(["a\"b\\c\nd"], 1)])] })
        #expect(metrics.text.contains(#"ostiary_build_info{version="a\"b\\c\nd"} 1"#))
        for line in metrics.text.split(separator: "\n") { #expect(Self.isValid(line), "\(line)") }
    }

    @Test func `leaves out a metric that was not measured yet`() {
        #expect(Metrics(others: { [MetricFamily(.activeSessions, nil)] }).text.isEmpty)
    }

    @Test func `sums durations up to each bound, and counts all of them`() {
        var counts = HistogramCounts()
        for seconds in [0.001, 0.3, 60] { counts.add(seconds) }
        let text = Metrics(others: { [counts] in [MetricFamily(.storeCommitDuration, counts)] }).text
        func bucket(_ bound: String) -> Double? {
            value(#"ostiary_store_commit_duration_seconds_bucket{le="\#(bound)"}"#, text)
        }
        #expect(bucket("0.001") == 1)
        #expect(bucket("0.25") == 1)
        #expect(bucket("0.5") == 2)
        #expect(bucket("+Inf") == 3)
        #expect(value("ostiary_store_commit_duration_seconds_count", text) == 3)
        #expect(value("ostiary_store_commit_duration_seconds_sum", text) == 60.301)
    }

    @Test func `declares every metric once`() async throws {
        try await LiveServer.run(World()) { server in
            for app in ["vici", "clarity"] { _ = try await server.ask("/\(app)/x") }
            let types = try await server.ask("/metrics").body.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
            #expect(Set(types).count == types.count)
        }
    }

    @Test func `counts each answer by app, operation and status`() async throws {
        try await LiveServer.run(World([.vici])) { server in
            func ask() async throws {
                _ = try await server.ask("GET", "/vici/api/auth/me", ["Authorization": "Bearer none-of-ours"])
            }
            for _ in 0..<3 { try await ask() }
            let text = try await server.ask("/metrics").body
            let series = #"ostiary_requests_total{app="vici",operation="currentUser",status="401"}"#
            #expect(value(series, text) == 3)
            #expect(value(#"ostiary_request_duration_seconds_count{app="vici"}"#, text) == 3)
            try await ask()
            let later = try await server.ask("/metrics").body
            #expect(value(series, later) == 4)
        }
    }

    @Test func `has histogram buckets that include the smaller ones`() async throws {
        try await LiveServer.run(World([.vici])) { server in
            for _ in 0..<5 { _ = try await server.ask("/vici/api/auth/me") }
            let lines = try await server.ask("/metrics").body.split(separator: "\n")
            let buckets = lines.filter { $0.hasPrefix(#"ostiary_request_duration_seconds_bucket{app="vici""#) }
                .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
            #expect(buckets == buckets.sorted())
            #expect(buckets.last == 5)
        }
    }

    @Test func `grows no series from what strangers ask for`() async throws {
        try await LiveServer.run(World([.vici])) { server in
            for number in 0..<20 {
                _ = try await server.ask("/stranger-\(number)")
                _ = try await server.ask("/vici/stranger-\(number)")
                _ = try await server.ask("PUT", "/vici/api/auth/me?stranger-\(number)", [:])
            }
            let text = try await server.ask("/metrics").body
            #expect(!text.contains("stranger"))
            #expect(text.split(separator: "\n").filter { $0.hasPrefix("ostiary_requests_total") }.count == 3)
        }
    }

    @Test func `is none of the apps' business where it has a listener of its own`() async throws {
        try await LiveServer.run(World([.vici]), adjust: { $0.showsMetrics = false }) { server in
            let answer = try await server.ask("/metrics")
            #expect(answer.status == 404)
        }
    }
}
