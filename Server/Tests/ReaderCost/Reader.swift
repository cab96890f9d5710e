#if DEBUG
import NIOCore
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

@testable import OstiaryHTTP
@testable import OstiaryIdentities
@testable import OstiaryTokens

/// A reader of untrusted text, and the function that passes it an input.
struct Reader {
    var name: String
    /// Returns the bytes to read, for an input of a given size.
    var input: (HostileInput, Int) -> [UInt8]
    var read: ([UInt8]) -> Void

    static func all() throws -> [Reader] {
        let codec = try Codec(.vici)
        let browser = try Codec(.timetracker)
        let login = try path(of: .signIn, codec)
        let trust = ProxyTrust(proxies: [AddressRange(first: .unspecified, prefixLength: 0)].compactMap(\.self))
        return [
            Reader(name: "JSON", input: { $0.json($1) }, read: { _ = try? JSON.read($0) }),
            Reader(name: "JSON.Hashable", input: { $0.json($1) }) { bytes in
                guard let json = try? JSON.read(bytes) else { return }
                _ = Set([json, .string("a")])
                _ = json["email"] == .string("grant_type")
            },
            Reader(name: "Codec body", input: { $0.json($1) }) { bytes in
                _ = try? codec.read(
                    WireRequest(
                        method: "POST", path: login, headers: ["content-type": "application/json"], body: bytes))
            },
            Reader(name: "Codec query", input: { $0.parameters($1) }) { bytes in
                _ = try? browser.read(WireRequest(method: "GET", path: "/auth/login", query: text(bytes)))
            },
            Reader(name: "Codec path", input: { $0.header($1, separator: "/") }) { bytes in
                _ = try? codec.read(WireRequest(method: "GET", path: "/" + text(bytes)))
            },
            Reader(name: "Content-Type", input: { $0.header($1, separator: ";") }) { bytes in
                _ = try? codec.read(
                    WireRequest(
                        method: "POST", path: login, headers: ["content-type": text(bytes)], body: Array("{}".utf8)))
            },
            Reader(name: "Authorization", input: { $0.header($1, separator: " ") }) { _ = BearerToken.read(text($0)) },
            Reader(name: "DPoP", input: { $0.header($1, separator: ".") }) { bytes in
                _ = DPoPProof(text(bytes))
                _ = DPoPHeader.token(in: text(bytes))
            },
            Reader(name: "htu", input: { $0.header($1, separator: "/") }) {
                _ = NormalizedURL("https://a.example/" + text($0))
            },
            Reader(name: "Signature-Input", input: { $0.header($1, separator: ";") }) {
                _ = SignatureInput(header: text($0))
            },
            Reader(name: "Content-Digest", input: { $0.header($1, separator: ":") }) {
                _ = ContentDigest.read("sha-256=" + text($0))
            },
            Reader(name: "FormValues", input: { $0.rawForm($1) }) { bytes in
                let values = FormValues(text(bytes))
                _ = values.hasRepeats
                _ = values["email"]
            },
            Reader(name: "ProviderParameters", input: { $0.rawForm($1) }) {
                _ = ProviderParameters.read(text($0))?["grant_type"] == "authorization_code"
            },
            Reader(name: "form media type", input: { $0.header($1, separator: ";") }) {
                _ = FormMediaType.isForm(text($0))
            },
            Reader(name: "VerifyDemand", input: { $0.parameters($1) }) { _ = VerifyDemand(query: text($0)) },
            Reader(name: "Cookie", input: { $0.header($1, separator: "; ") }) { bytes in
                _ = WireRequest(method: "GET", path: "/", headers: ["cookie": text(bytes)]).cookie("ostiary-browser")
            },
            Reader(name: "Accept-Language", input: { $0.header($1, separator: ",") }) {
                _ = QualityList(text($0)).quality(of: "de", orOf: ["*"])
            },
            Reader(name: "X-Forwarded-For", input: { $0.header($1, separator: ",") }) {
                _ = trust.client(peer: .unspecified, forwarded: [text($0)])
            },
            Reader(name: "request head", input: { $0.header($1 / 4, separator: ", ") }, read: head),
            Reader(name: "own token's header", input: { $0.json($1 / 12) }) {
                _ = CompactToken("\(Base64URL.encode($0)).e30.AA")
            },
            Reader(name: "own token's parts", input: { $0.header($1, separator: ".") }) { _ = CompactToken(text($0)) },
            Reader(name: "foreign token's header", input: { $0.json($1 / 6) }) {
                _ = UnverifiedToken("\(Base64URL.encode($0)).e30.AA")
            },
            Reader(name: "foreign token's claims", input: { $0.json($1 / 6) }) {
                _ = UnverifiedToken("eyJhbGciOiJSUzI1NiJ9.\(Base64URL.encode($0)).AA")
            },
            Reader(name: "EmailAddress", input: { $0.header($1, separator: "@") }) { _ = try? EmailAddress(text($0)) },
            Reader(name: "Username", input: { $0.header($1, separator: " ") }) { _ = try? Username(text($0)) },
            Reader(name: "PersonName", input: { $0.header($1, separator: " ") }) { _ = try? PersonName(text($0)) },
        ]
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func path(of kind: OperationKind, _ codec: Codec) throws -> String {
        struct NoSuchOperation: Error {}
        guard let endpoint = codec.endpoint(for: kind) else { throw NoSuchOperation() }
        return codec.contract.prefix + endpoint.path
    }

    /// Parses a complete head in which one header has the value.
    private static func head(_ value: [UInt8]) {
        for name in ["Cookie", "Connection", "Transfer-Encoding", "Expect"] {
            var framing = RequestFraming(limits: ConnectionLimits())
            framing.append(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\(name): "))
            framing.append(ByteBuffer(bytes: value))
            framing.append(ByteBuffer(string: "\r\n\r\n"))
            while (try? framing.next()) != nil {}
        }
    }
}
#endif
