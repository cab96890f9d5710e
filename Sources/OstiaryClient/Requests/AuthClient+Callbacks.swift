public import Foundation

/// For code that does not await: the same calls with a completion handler.
///
/// A handler is called once, on the main actor, whatever becomes of the call; after ``RunningCall/cancel()`` with
/// ``ClientError/cancelled``, unless the call could not be stopped any more.
extension AuthClient {
    public typealias Completion<Value> = @MainActor @Sendable (Result<Value, ClientError>) -> Void

    // MARK: Accounts

    /// Has a one-time code sent to a phone.
    @discardableResult
    public func requestCode(
        for phoneNumber: String, completion: @escaping Completion<RequestedCode>
    ) -> RunningCall {
        RunningCall(completion) { () async throws(ClientError) in try await self.requestCode(for: phoneNumber) }
    }

    /// Checks a code without spending it.
    @discardableResult
    public func verify(
        _ code: RequestedCode, digits: String, completion: @escaping Completion<Void>
    ) -> RunningCall {
        RunningCall(completion) { () async throws(ClientError) in try await self.verify(code, digits: digits) }
    }

    @discardableResult
    public func register(
        code: RequestedCode, digits: String, password: String, completion: @escaping Completion<SessionSnapshot>
    ) -> RunningCall {
        RunningCall(completion) { () async throws(ClientError) in
            try await self.register(code: code, digits: digits, password: password)
        }
    }

    @discardableResult
    public func signIn(
        phoneNumber: String, password: String, rememberMe: Bool = false,
        completion: @escaping Completion<SessionSnapshot>
    ) -> RunningCall {
        RunningCall(completion) { () async throws(ClientError) in
            try await self.signIn(phoneNumber: phoneNumber, password: password, rememberMe: rememberMe)
        }
    }

    /// Signs out here, and then tells the server.
    @discardableResult
    public func signOut(completion: @escaping Completion<SignOutResult>) -> RunningCall {
        RunningCall(completion) { () async throws(ClientError) in try await self.signOut() }
    }

    // MARK: Requests

    /// Sends a `GET` request. The answer is decoded on the main actor, where a model may be isolated.
    @discardableResult @MainActor
    public func get<Value: Decodable>(
        _ path: String, query: [URLQueryItem] = [], headers: [String: String] = [:], within deadline: Duration? = nil,
        completion: @escaping Completion<Value>
    ) -> RunningCall {
        RunningCall(completion) { () async throws(ClientError) in
            try await self.get(path, query: query, headers: headers, within: deadline)
        }
    }

    /// Sends a `POST` request. Where nothing of the answer is needed, its type is ``EmptyBody``.
    @discardableResult @MainActor
    public func post<Value: Decodable>(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil, completion: @escaping Completion<Value>
    ) -> RunningCall {
        RunningCall(completion) { () async throws(ClientError) in
            try await self.post(path, body: body, query: query, headers: headers, within: deadline)
        }
    }
}

/// A call that was begun with a completion handler. It goes on if nobody keeps this.
public struct RunningCall: Sendable {
    private let task: Task<Void, Never>

    init<Value>(
        _ completion: @escaping AuthClient.Completion<Value>,
        _ call: @escaping @MainActor () async throws(ClientError) -> Value
    ) {
        task = Task { @MainActor in
            let result: Result<Value, ClientError>
            do throws(ClientError) { result = .success(try await call()) } catch { result = .failure(error) }
            completion(result)
        }
    }

    public func cancel() { task.cancel() }
}
