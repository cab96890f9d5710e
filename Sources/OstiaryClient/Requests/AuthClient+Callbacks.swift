public import Foundation

/// The same calls with a completion handler, for code that does not use `await`.
///
/// A handler is called exactly once, on the main actor, with success or failure; after ``RunningCall/cancel()`` with
/// ``ClientError/cancelled``, unless the call could no longer be stopped.
extension AuthClient {
    /// A completion handler that receives the result of a call.
    public typealias Completion<Value> = @MainActor @Sendable (Result<Value, ClientError>) -> Void

    // MARK: Accounts

    /// Requests a one-time code by message to a phone.
    @discardableResult
    public func requestCode(
        for phoneNumber: String, completion: @escaping Completion<RequestedCode>
    ) -> RunningCall {
        RunningCall(completion) { () async throws(ClientError) in try await self.requestCode(for: phoneNumber) }
    }

    /// Checks a code without redeeming it.
    @discardableResult
    public func verify(
        _ code: RequestedCode, digits: String, completion: @escaping Completion<Void>
    ) -> RunningCall {
        RunningCall(completion) { () async throws(ClientError) in try await self.verify(code, digits: digits) }
    }

    /// Registers an account with a phone number proven by a one-time code, and signs in.
    @discardableResult
    public func register(
        code: RequestedCode, digits: String, password: String, completion: @escaping Completion<SessionSnapshot>
    ) -> RunningCall {
        RunningCall(completion) { () async throws(ClientError) in
            try await self.register(code: code, digits: digits, password: password)
        }
    }

    /// Signs in with a phone number and a password.
    @discardableResult
    public func signIn(
        phoneNumber: String, password: String, rememberMe: Bool = false,
        completion: @escaping Completion<SessionSnapshot>
    ) -> RunningCall {
        RunningCall(completion) { () async throws(ClientError) in
            try await self.signIn(phoneNumber: phoneNumber, password: password, rememberMe: rememberMe)
        }
    }

    /// Signs out on this device, then revokes the session on the server.
    @discardableResult
    public func signOut(completion: @escaping Completion<SignOutResult>) -> RunningCall {
        RunningCall(completion) { () async throws(ClientError) in try await self.signOut() }
    }

    // MARK: Requests

    /// Sends a `GET` request. The answer is decoded on the main actor, to which a model may be isolated.
    @discardableResult @MainActor
    public func get<Value: Decodable>(
        _ path: String, query: [URLQueryItem] = [], headers: [String: String] = [:], within deadline: Duration? = nil,
        completion: @escaping Completion<Value>
    ) -> RunningCall {
        RunningCall(completion) { () async throws(ClientError) in
            try await self.get(path, query: query, headers: headers, within: deadline)
        }
    }

    /// Sends a `POST` request. If nothing of the answer is needed, use ``EmptyBody`` as its type.
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

/// A handle to a call with a completion handler. The call continues if the handle is released.
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

    /// Cancels the call; has no effect once it has completed.
    public func cancel() { task.cancel() }
}
