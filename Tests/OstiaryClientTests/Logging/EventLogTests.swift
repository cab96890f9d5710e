import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

struct EventLogTests {
    static let canary = "canary-5up3r"

    /// Every event, made of failures in whose every text there is a secret.
    static let events: [ClientEvent] = {
        let id = QueuedRequest.ID()
        let refusals: [AuthError] = [
            .rejected(status: 400, message: canary), .unavailable(incident: canary),
            .challengeRequired(Challenge(name: canary, token: Secret(canary))), .wrongCredentials,
        ]
        let errors: [ClientError] = [
            .invalidRequest(canary), .http(status: 500, message: canary), .decoding(canary),
            .refused(.rejected(status: 400, message: canary)), .sessionEnded(.unavailable(incident: canary)),
            .store(.system(path: "/home/\(canary)", code: 13)), .network(.tooLarge(maximumBytes: 7)),
        ]
        let codes = refusals.map { FailureCode($0) } + errors.map { FailureCode($0) }
        let problems: [StoreProblem] = [
            .notPrivate(path: canary), .damaged(setAside: canary), .system(path: canary, code: 13), .busy,
            .newerVersion,
        ]
        let plain: [ClientEvent] = [
            .registration(failure: nil), .refresh(failure: nil, requests: 1), .adopted, .signOut(.signedOut),
            .signOut(.elsewhere), .signOut(.notSignedIn), .revocationSent, .accountSwitched, .storeWritableAgain,
            .request(status: 200, failure: nil), .request(status: nil, failure: nil), .replayed,
            .heldBack(.seconds(2)), .pinMismatch, .queued(id, depth: 1), .queueSent(id, depth: 0),
            .queueCleared(count: 3),
        ]
        return plain + ClientEvent.SignInMethod.allCases.map { .signIn(method: $0, failure: nil) }
            + refusals.map { .signOut(.ended($0)) } + problems.map { .storeUnwritable($0) }
            + codes.flatMap { code -> [ClientEvent] in
                [
                    .signIn(method: .password, failure: code), .registration(failure: code),
                    .refresh(failure: code, requests: 2), .request(status: nil, failure: code),
                    .request(status: 500, failure: code), .queueDropped(id, failure: code, depth: 1),
                    .queueHeld(failure: code, depth: 1),
                ]
            }
    }()

    private static func lines(from level: ClientLog.Level, _ events: [ClientEvent]) -> [ClientLog.Line] {
        let lines = Reference<[ClientLog.Line]>()
        let log = ClientLog(from: level) { lines.value = (lines.value ?? []) + [$0] }
        for event in events { log.note(event) }
        return lines.value ?? []
    }

    @Test func `writes a line for every event, and no secret in any`() {
        let lines = Self.lines(from: .trace, Self.events)
        #expect(lines.count == Self.events.count)
        for line in lines {
            #expect(!line.text.contains("canary"), "\(line.text)")
            #expect(line.text.unicodeScalars.allSatisfy { $0.isPrintable })
        }
    }

    @Test func `knows every event`() {
        var missing = Set(EventKind.allCases)
        for event in Self.events { missing.remove(EventKind(event)) }
        #expect(missing.isEmpty)
    }

    @Test(arguments: [
        (ClientEvent.signIn(method: .browser, failure: nil), "info session: signed in by browser"),
        (.refresh(failure: "offline", requests: 3), "notice session: refresh failed: offline, requests: 3"),
        (.signOut(.ended(.refreshTokenReused)), "warning session: the session is over: refresh_token_reused"),
        (
            .storeUnwritable(.system(path: "/home/jo", code: 13)),
            "error store: the store cannot be written, sessions are kept in memory: system error 13"
        ), (.heldBack(.milliseconds(250)), "debug network: held a request back for 250 ms"),
        (.request(status: 200, failure: nil), "trace network: request answered: 200"),
        (.queueCleared(count: 2), "notice queue: cleared with its session, requests: 2"),
    ])
    func `says what happened`(_ event: ClientEvent, _ said: String) {
        let lines = Self.lines(from: .trace, [event])
        #expect(lines.map { "\($0.level.rawValue) \($0.category.rawValue): \($0.text)" } == [said])
    }

    @Test func `logs what a client's own queue does`() async throws {
        let lines = Reference<[ClientLog.Line]>()
        let log = ClientLog(from: .trace) { lines.value = (lines.value ?? []) + [$0] }
        let events = Broadcast<ClientEvent>()
        events.observe { log.note($0) }
        let sending = ScriptedSending(as: try .jo) { call throws(ClientError) in
            WireResponse(status: call.request.path.contains("bad") ? 422 : 503, body: Array(Self.canary.utf8))
        }
        let queue = RequestQueue(
            sending: sending, options: QueueOptions(), system: TestClock().system, events: events)
        var request = WireRequest.note("bad-\(Self.canary)")
        request.query = "q=\(Self.canary)"
        try await queue.enqueue(request, id: QueuedRequest.ID())
        try await queue.enqueue(.note(Self.canary), id: QueuedRequest.ID())
        await queue.sendNow()
        let text = (lines.value ?? []).map(\.text).joined(separator: "\n")
        #expect(text.contains("http_422") && text.contains("http_503"))
        #expect(!text.contains("canary"), "\(text)")
    }
}

/// The names of all events: the compiler asks for a new one here, and the test above for a line.
private enum EventKind: CaseIterable {
    case signIn, registration, refresh, adopted, signOut, revocationSent, accountSwitched, storeUnwritable
    case storeWritableAgain, request, replayed, heldBack, pinMismatch
    case queued, queueSent, queueDropped, queueHeld, queueCleared

    init(_ event: ClientEvent) {
        self =
            switch event {
            case .signIn: .signIn
            case .registration: .registration
            case .refresh: .refresh
            case .adopted: .adopted
            case .signOut: .signOut
            case .revocationSent: .revocationSent
            case .accountSwitched: .accountSwitched
            case .storeUnwritable: .storeUnwritable
            case .storeWritableAgain: .storeWritableAgain
            case .request: .request
            case .replayed: .replayed
            case .heldBack: .heldBack
            case .pinMismatch: .pinMismatch
            case .queued: .queued
            case .queueSent: .queueSent
            case .queueDropped: .queueDropped
            case .queueHeld: .queueHeld
            case .queueCleared: .queueCleared
            }
    }
}
