import Foundation
import OstiaryContracts

/// A decoder of the answers of the app's API.
struct AnswerReader: Sendable {
    let contract: Contract
    let decoder: @Sendable () -> JSONDecoder
    let now: @Sendable () -> Date

    /// Decodes the value in an answer.
    ///
    /// An empty body is read as `null` or `{}`, depending on the type. If the contract has an envelope, an enveloped
    /// value is unwrapped, and any other body is decoded as it is.
    func value<Value: Decodable>(_ type: Value.Type, in answer: WireResponse) throws(ClientError) -> Value {
        try checkStatus(of: answer)
        if answer.body.allSatisfy(\.isJSONSpace) {
            guard let value = read(type, "null") ?? read(type, "{}") else { throw .invalidResponse }
            return value
        }
        let body = Data(answer.body)
        do {
            guard let envelope = contract.envelope else { return try decoder().decode(type, from: body) }
            return try decoder().decode(Enveloped<Value>.self, from: body, configuration: envelope).value
        } catch let error as DecodingError {
            throw ClientError(error)
        } catch is EnvelopeSaysNo {
            throw .http(status: answer.status, message: message(in: answer))
        } catch {
            // An error thrown by a type's own decoding may contain the values that it rejected.
            throw .invalidResponse
        }
    }

    /// Throws unless the answer reports success, with or without a body.
    func check(_ answer: WireResponse) throws(ClientError) {
        try checkStatus(of: answer)
        guard let envelope = contract.envelope else { return }
        do {
            _ = try JSONDecoder().decode(Enveloped<EmptyBody>.self, from: Data(answer.body), configuration: envelope)
        } catch is EnvelopeSaysNo {
            throw .http(status: answer.status, message: message(in: answer))
        } catch {
            // The content of the body was not requested.
        }
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        try? decoder().decode(type, from: Data(text.utf8))
    }

    private func checkStatus(of answer: WireResponse) throws(ClientError) {
        switch answer.status {
        case 200..<300: return
        case 401: throw .unauthorized
        case 429: throw .rateLimited(until: now() + (answer.pause(at: now()) ?? .seconds(1)).timeInterval)
        case 408, 425, 502, 503, 504: throw .temporarilyUnavailable
        default: throw .http(status: answer.status, message: message(in: answer))
        }
    }

    /// Returns the text for the user: the message in the contract's failure format, else the client's own. Never an
    /// HTML page.
    private func message(in answer: WireResponse) -> String {
        guard let body = try? JSON.read(answer.body), case .string(let text) = body[contract.failureKey],
            let message = PersonText.shown(text)
        else { return PersonText.ofStatus(answer.status) }
        return message
    }
}

extension UInt8 {
    fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

/// The type of an answer without a body, or with a body that is not needed.
public struct EmptyBody: Codable, Hashable, Sendable {
    /// Creates an empty body.
    public init() {}
}
