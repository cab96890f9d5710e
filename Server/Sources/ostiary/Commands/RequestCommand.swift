import ArgumentParser
import Foundation
import OstiaryClient
import OstiaryContracts

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The command `ostiary request`.
struct RequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request", abstract: "Sends a request as the signed-in user and prints the response's body.",
        discussion:
            "Example:\n  ostiary request GET /api/auth/me\n  ostiary request PATCH /api/auth/me --data '{\"name\": \"Ann\"}'"
    )

    @OptionGroup var client: ClientOptions

    @Argument(help: "GET, POST, PUT, PATCH or DELETE.") var method: String
    @Argument(help: "The path below the server's base URL.") var path: String
    @Option(help: ArgumentHelp("The body.", valueName: "json")) var data: String?

    func validate() throws {
        guard path.hasPrefix("/") else { throw ValidationError("the path begins with /") }
        guard !method.isEmpty, method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            throw ValidationError("the method is in capital letters, for example GET")
        }
    }

    func run() async throws {
        let body: JSON?
        do { body = try data.map { try JSON.read(Array($0.utf8)) } } catch {
            throw ValidationError("--data is not JSON")
        }
        let client = try client.client()
        // As typed: characters that URL would encode by itself are refused, like all that is not percent-encoded.
        guard let url = URL(string: client.auth.baseURL.text + path, encodingInvalidCharacters: false) else {
            printError(ClientError.invalidRequest("the path must be percent-encoded").description)
            throw ExitCode.failure
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.bytes) }
        let response = try await client.run { [request] in try await Self.answer(to: request, of: client) }
        let text = String(decoding: response.body, as: UTF8.self)
        if !text.isEmpty { try printResult(StandardOutput.isTerminal ? TerminalText.escapedJSON(text) : text) }
        guard (200..<300).contains(response.status) else {
            printError("status \(response.status)")
            throw ExitCode.failure
        }
    }

    private static func answer(
        to request: URLRequest, of client: CommandClient
    ) async throws(ClientError) -> WireResponse {
        do {
            let (body, response) = try await client.auth.data(for: request)
            return WireResponse(status: response.statusCode, body: Array(body))
        } catch {
            switch error {
            // A 401 that a refreshed token did not avert is the response to show.
            case .unauthorized, .refused:
                guard let answer = client.transport.latestAnswer, answer.status == 401 else { throw error }
                return answer
            default: throw error
            }
        }
    }
}
