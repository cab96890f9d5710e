import OstiaryClient
import SwiftUI

/// A view that requests the app's API when it appears, and shows the result.
struct Loading<Value, Content: View>: View {
    private enum Outcome {
        case value(Value)
        case failure(String)
    }

    private let load: @MainActor () async throws(ClientError) -> Value
    private let content: (Value) -> Content
    @State private var outcome: Outcome?
    @State private var attempt = 0

    init(
        _ load: @escaping @MainActor () async throws(ClientError) -> Value,
        @ViewBuilder content: @escaping (Value) -> Content
    ) {
        self.load = load
        self.content = content
    }

    var body: some View {
        shown.task(id: attempt) {
            do throws(ClientError) {
                outcome = .value(try await load())
            } catch {
                // No error is shown to a user who has left the screen.
                if error != .cancelled { outcome = .failure(error.description) }
            }
        }
    }

    @ViewBuilder private var shown: some View {
        switch outcome {
        case nil: ProgressView()
        case .value(let value): content(value)
        case .failure(let text):
            VStack {
                Text(verbatim: text)
                Button("Try again") {
                    outcome = nil
                    attempt += 1
                }
            }
        }
    }
}
