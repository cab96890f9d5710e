public import Foundation

/// For code that does not await: the same calls with a completion handler.
///
/// A handler is called once, on the main actor, whatever becomes of the call; after ``RunningCall/cancel()`` with
/// ``ClientError/cancelled`` unless the call had ended by then.
extension AuthClient {
    public typealias Completion<Value> = @MainActor @Sendable (Result<Value, ClientError>) -> Void

    @discardableResult
    public func get<Value: Decodable & Sendable>(
        _ path: String, query: [URLQueryItem] = [], headers: [String: String] = [:], within deadline: Duration? = nil,
        completion: @escaping Completion<Value>
    ) -> RunningCall {
        RunningCall(completion) { () async throws(ClientError) -> Value in
            try await self.get(path, query: query, headers: headers, within: deadline)
        }
    }

    @discardableResult
    public func post<Value: Decodable & Sendable>(
        _ path: String, body: (any Encodable & Sendable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil, completion: @escaping Completion<Value>
    ) -> RunningCall {
        RunningCall(completion) { () async throws(ClientError) -> Value in
            try await self.post(path, body: body, query: query, headers: headers, within: deadline)
        }
    }
}

/// A call that was begun with a completion handler. It goes on if nobody keeps this.
public struct RunningCall: Sendable {
    private let task: Task<Void, Never>

    init<Value: Sendable>(
        _ completion: @escaping AuthClient.Completion<Value>,
        _ call: @escaping @Sendable () async throws(ClientError) -> Value
    ) {
        task = Task {
            let result: Result<Value, ClientError>
            do throws(ClientError) { result = .success(try await call()) } catch { result = .failure(error) }
            await completion(result)
        }
    }

    public func cancel() { task.cancel() }
}
