import Foundation
package import Logging
import NIOCore
import OstiaryAdminAPI
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryServerPaths

/// The routes of an application: reads requests, passes them on, and adds the common headers to the responses.
package final class RootResponder: RequestResponder {
    package let application: ServerApplication
    let log: Logger
    private let accessLog: AccessLog
    private let date = HTTPDateText()
    private let commonHeaders: CommonHeaders
    private let readiness: ReadinessCheck

    package init(application: ServerApplication, log: Logger) {
        self.application = application
        self.log = log
        accessLog = AccessLog(log)
        commonHeaders = CommonHeaders(isSecure: application.isSecure)
        readiness = ReadinessCheck(of: application.store, log: log)
    }

    package func respond(to request: ReceivedRequest) async -> OutgoingResponse {
        let start = ContinuousClock.now - request.bodyDuration
        let observation = application.observation
        return await observation.tracing.run(
            "request", .server,
            continuing: observation.caller(of: request, by: application.connections.proxies)
        ) { trace, span in
            trace.add(request.bodyDuration, to: .body)
            let id = RequestID.make(offered: request.headers.first("x-request-id"))
            let client = application.connections.proxies.client(
                peer: request.peer, forwarded: request.headers.values(of: "x-forwarded-for"))
            let (app, answer) = await answer(request, client: client)
            let duration = start.duration(to: .now)
            let record = AccessRecord(
                id: id, app: app, operation: answer.operation, status: answer.response.status, duration: duration,
                address: client, context: trace.context)
            application.metrics.count(
                app: app, operation: record.operation, status: record.status, seconds: duration.seconds)
            observation.report(record, trace, to: log, accessLog)
            if let span { record.describe(span, method: request.head.method) }
            return addingCommonHeaders(answer.response, id: id)
        }
    }

    private func answer(
        _ request: ReceivedRequest, client: IPAddress
    ) async -> (app: String, answer: AppServer.Answer) {
        var wire = WireRequest(method: request.head.method, path: request.head.path, query: request.head.query)
        readHeaders(["authorization", "content-type"], of: request, into: &wire)

        func isLocal() -> Bool {
            request.peer.isLoopback && client.isLoopback
                && ServerApplication.isLoopback(authority: request.head.authority)
                && !request.headers.cameThroughProxy
        }
        let serverPath = ServerPath(rawValue: wire.path)
        if serverPath == .liveness,
            let response = application.diagnostics?.response(to: request, peer: request.peer, client: client)
        {
            return ("server", AppServer.Answer(response, operation: wire.path))
        }
        if let response = await own(serverPath, wire, request, isLocal: isLocal()) {
            return ("server", AppServer.Answer(response, operation: wire.path))
        }
        if let admin = application.admin, AdminServer.serves(wire.path), application.isAdminListener || isLocal() {
            return ("admin", await answer(wire, request, by: admin, client: client))
        }
        if let provider = application.provider, let path = ServerPath.provider.remainder(of: wire.path) {
            wire.path = path
            readPageHeaders(of: request, into: &wire)
            readHeaders([DPoPHeader.proof], of: request, into: &wire)
            guard let body = body(of: request) else {
                return ("idp", AppServer.Answer(Self.plain(413, "body_too_large"), .bodyTooLarge))
            }
            wire.body = body
            return ("idp", await provider.answer(wire, from: caller(request, client: client, baseURL: nil)))
        }
        guard let (mount, path) = application.mount(authority: request.head.authority, path: wire.path) else {
            return ("server", AppServer.Answer(Self.plain(404, "not_found"), .unknownPath))
        }
        wire.path = path
        let name = mount.name.text
        readHeaders(Self.proofs, of: request, into: &wire)
        if let endpoint = AppServer.Endpoint(rawValue: path) {
            if endpoint == .verify { readHeaders(SignedTarget.headers, of: request, into: &wire) }
            return (name, await mount.app.answer(endpoint, wire, baseURL: mount.baseURL))
        }
        let caller = caller(request, client: client, baseURL: mount.baseURL(authority: request.head.authority))
        guard Self.isPlain(request) else {
            let refusal = await mount.app.counting(.unsupportedMediaType, from: caller)
            return (name, AppServer.Answer(mount.app.codec.write(refusal), .contentEncoding))
        }
        guard let body = body(of: request) else {
            let refusal = await mount.app.counting(.bodyTooLarge, from: caller)
            return (name, AppServer.Answer(mount.app.codec.write(refusal), .bodyTooLarge))
        }
        wire.body = body
        if let page = mount.app.page(at: path) {
            readPageHeaders(of: request, into: &wire)
            return (name, AppServer.Answer(await page.answer(wire, app: mount.app, from: caller), operation: path))
        }
        if let endpoint = mount.app.browserEndpoint(for: wire) {
            readPageHeaders(of: request, into: &wire)
            return (name, await mount.app.answer(endpoint, wire, from: caller))
        }
        return (name, await mount.app.answer(wire, from: caller))
    }

    private func answer(
        _ wire: WireRequest, _ request: ReceivedRequest, by admin: AdminServer, client: IPAddress
    ) async -> AppServer.Answer {
        var wire = wire
        readPageHeaders(of: request, into: &wire)
        readHeaders([AdminAPI.idempotencyKeyHeader], of: request, into: &wire)
        guard Self.isPlain(request) else { return AdminServer.refusal(415, .unsupportedMediaType) }
        guard let body = body(of: request) else { return AdminServer.refusal(413, .bodyTooLarge) }
        wire.body = body
        return await admin.answer(wire, from: caller(request, client: client, baseURL: nil))
    }

    /// Returns `true` for a body without a content coding: a small one can decompress to gigabytes.
    private static func isPlain(_ request: ReceivedRequest) -> Bool {
        guard let coding = request.headers.list("content-encoding") else { return true }
        return ASCII.equals(coding.utf8, "identity")
    }

    /// - Returns: Nil for a body that exceeds the limit, which a reload may have lowered.
    private func body(of request: ReceivedRequest) -> [UInt8]? {
        guard request.body.readableBytes <= application.connections.limits.bodyBytes else { return nil }
        return Array(request.body.readableBytesView)
    }

    private func caller(_ request: ReceivedRequest, client: IPAddress, baseURL: String?) -> Caller {
        Caller(
            address: client.description, network: client.network,
            userAgent: request.headers.list("user-agent")?.asLabel,
            deviceToken: DeviceTokenHeader.read(request.headers.list(DeviceTokenHeader.name)),
            proofOfWork: ProofOfWorkHeader.read(request.headers.list(ProofOfWorkHeader.name)), baseURL: baseURL)
    }

    /// Copies optional headers. One that repeats is read as a list. Source: RFC 9110 §5.3.
    private func readHeaders(_ names: [String], of request: ReceivedRequest, into wire: inout WireRequest) {
        for name in names {
            if let value = request.headers.list(name) { wire.headers[name] = value }
        }
    }

    /// Copies the headers that pages need in addition to those of every request.
    private func readPageHeaders(of request: ReceivedRequest, into wire: inout WireRequest) {
        for name in ["accept", "accept-language", "cookie", "host", "origin", "sec-fetch-site"] {
            wire.headers[name] = request.headers.values(of: name).joined(separator: name == "cookie" ? "; " : ", ")
        }
        wire.headers["host"] = request.head.authority
    }

    /// Answers a request to the server's own endpoints; nil for every other path.
    ///
    /// - Parameters:
    ///   - path: The endpoint at the request's path, if there is one.
    ///   - carrier: The request from which endpoints read further headers.
    ///   - isLocal: `true` if the request comes from this machine, and not through a proxy.
    private func own(
        _ path: ServerPath?, _ request: WireRequest, _ carrier: ReceivedRequest, isLocal: @autoclosure () -> Bool
    ) async -> ServerResponse? {
        switch path {
        case .liveness: return Self.get(request) { Self.text("ok\n") }
        case .readiness:
            guard await readiness.isReady() else {
                var response = Self.plain(503, "unavailable")
                response.headers["retry-after"] = "5"
                return response
            }
            return Self.get(request) { Self.text("ready\n") }
        case .metrics:
            guard application.showsMetrics, application.isAdminListener || isLocal() else { return nil }
            return Self.get(request) { Self.text(application.metrics.text, version: "; version=0.0.4") }
        case .association:
            let association = application.association(authority: carrier.head.authority)
            guard !association.isEmpty else { return nil }
            return Self.get(request) {
                ServerResponse(
                    status: 200, headers: ["content-type": "application/json"], body: association.document.bytes)
            }
        case .inbox:
            guard let inbox = application.inbox, isLocal() else { return nil }
            var request = request
            readPageHeaders(of: carrier, into: &request)
            return await InboxPage(inbox: inbox).answer(request)
        case .administration, .provider: return nil
        case nil:
            if request.path == HomePage.path {
                let authority = carrier.head.authority
                guard application.showsHomePage(authority: authority), isLocal() else { return nil }
                let page = HomePage(application: application, authority: authority).response()
                return Self.get(request) { page }
            }
            guard request.path.utf8.starts(with: PageAssets.base.utf8) else { return nil }
            var request = request
            readHeaders(["if-none-match"], of: carrier, into: &request)
            return PageAssets.response(to: request).map { asset in Self.get(request) { asset } }
        }
    }

    private static func get(_ request: WireRequest, _ response: () -> ServerResponse) -> ServerResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            return ServerResponse(status: 405, headers: ["allow": "GET, HEAD"])
        }
        return response()
    }

    private static func text(_ text: String, version: String = "") -> ServerResponse {
        ServerResponse(
            status: 200, headers: ["content-type": "text/plain\(version); charset=utf-8"], body: Array(text.utf8))
    }

    /// A refusal outside every app, where no contract defines its format.
    static func plain(_ status: Int, _ code: String, _ text: String? = nil) -> ServerResponse {
        ServerResponse(
            status: status, headers: ["content-type": "application/json; charset=utf-8"],
            body: (["error": .string(text ?? code), "code": .string(code)] as JSON).bytes)
    }

    /// The headers by which a request of an app proves its origin.
    private static let proofs = SignatureHeader.all + [DPoPHeader.proof, AppAssertionHeader.name]

    /// Returns the response with the headers that every response carries.
    private func addingCommonHeaders(_ own: ServerResponse, id: String) -> OutgoingResponse {
        var headers = commonHeaders.adding(id: id, own.headers)
        for cookie in own.cookies { headers.append("Set-Cookie", cookie.reveal()) }
        headers.append("Date", date.text(Date()))
        return OutgoingResponse(
            head: ResponseHead(status: own.status, headers: headers),
            body: own.stream.map { .stream($0) } ?? .bytes(own.body))
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension String {
    /// Returns a header as a label for a person: printable, at most 200 bytes.
    var asLabel: String {
        var label = ""
        var bytes = 0
        for scalar in unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7F {
            bytes += UTF8.width(scalar)
            guard bytes <= 200 else { break }
            label.unicodeScalars.append(scalar)
        }
        return label
    }
}
