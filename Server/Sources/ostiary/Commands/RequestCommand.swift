import ArgumentParser
import OstiaryClient
import OstiaryContracts

/// `ostiary request`
struct RequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request", abstract: "Sends a request as the signed-in person and prints the answer's body.",
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
        let session = try client.session()
        let response: WireResponse
        do { response = try await session.request(method, path, body: body) } catch { throw report(error, of: session) }
        let text = String(decoding: response.body, as: UTF8.self)
        if !text.isEmpty { printLine(StandardOutput.isTerminal ? TerminalText.escapedJSON(text) : text) }
        guard (200..<300).contains(response.status) else {
            printError("status \(response.status)")
            throw ExitCode.failure
        }
    }
}
