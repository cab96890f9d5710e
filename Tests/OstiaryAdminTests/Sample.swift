import Foundation
import OstiaryAdmin
import OstiaryTesting

/// A client of a scripted server.
struct Sample {
    static let key = "ostk_k1_S3cretS3cretS3cret"
    let network: ScriptedTransport
    let clock = TestClock(skippingSleeps: .seconds(60))
    let admin: AdminClient

    /// - Parameter answers: The answers in their order; the last one is repeated.
    init(_ answers: Reaction...) throws { try self.init(answers) }

    init(_ answers: [Reaction]) throws {
        network = ScriptedTransport { _ throws(TransportError) in WireResponse(status: 500) }
        for answer in answers.dropLast() { network.on(.any, answer, times: 1) }
        if let last = answers.last { network.on(.any, last) }
        guard let url = URL(string: "https://admin.example.com") else { throw URLError(.badURL) }
        admin = try AdminClient(baseURL: url, key: Secret(Self.key), transport: network, system: clock.system)
    }

    var requests: [WireRequest] { network.calls.map(\.request) }
}

extension Reaction {
    static func value(_ value: some AdminValue, status: Int = 200) -> Reaction {
        .status(
            status, headers: ["content-type": "application/json"],
            body: String(decoding: value.json.bytes, as: UTF8.self))
    }

    static func problem(_ status: Int, _ code: String, headers: [String: String] = [:], _ more: String = "") -> Reaction
    {
        .status(
            status, headers: headers.merging(["content-type": "application/problem+json"]) { $1 },
            body: #"{"type":"about:blank","title":"Refused","status":\#(status),"code":"\#(code)"\#(more)}"#)
    }
}
