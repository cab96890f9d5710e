import Foundation
import OstiaryWebAuthnFuzzing
import Testing

/// Replays the inputs that `make fuzz` has found to reach different parts of the readers.
@Suite struct CorpusTests {
    /// The inputs by their first byte, which selects the reader.
    private static let inputs: [UInt8: [[UInt8]]] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let text = (try? String(contentsOf: folder.appendingPathComponent("Corpus/inputs.txt"), encoding: .utf8)) ?? ""
        let inputs = text.split(separator: "\n").compactMap { Data(base64Encoded: String($0)).map { Array($0) } }
        return Dictionary(grouping: inputs) { ($0.first ?? 0) % UInt8(WebAuthnFuzzing.Reader.allCases.count) }
    }()

    private func expectNoProblem(with input: [UInt8]) {
        #expect(WebAuthnFuzzing.problem(with: input) == nil, "\(Data(input).base64EncodedString())")
    }

    @Test(arguments: WebAuthnFuzzing.Reader.allCases)
    func `every recorded input is read or refused as it must be`(reader: WebAuthnFuzzing.Reader) throws {
        for input in try #require(Self.inputs[reader.rawValue]) { expectNoProblem(with: input) }
    }

    @Test(arguments: WebAuthnFuzzing.Reader.allCases)
    func `mutations of recorded inputs are read or refused as they must be`(reader: WebAuthnFuzzing.Reader) throws {
        var generator = SeededGenerator(seed: UInt64(reader.rawValue))
        let inputs = try #require(Self.inputs[reader.rawValue])
        for _ in 0..<200 {
            let input = try #require(inputs.randomElement(using: &generator))
            expectNoProblem(with: [reader.rawValue] + generator.mutate(Array(input.dropFirst())))
        }
    }
}
