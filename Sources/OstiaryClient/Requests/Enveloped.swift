import Foundation
import OstiaryContracts

/// A value with or without the contract's envelope: an app's API may answer either way.
struct Enveloped<Value: Decodable>: DecodableWithConfiguration {
    let value: Value

    /// Decodes the value from the envelope, or directly.
    ///
    /// - Throws: ``EnvelopeSaysNo`` if the envelope reports a failure.
    init(from decoder: any Decoder, configuration: Contract.Envelope) throws {
        if let container = try? decoder.container(keyedBy: Key.self),
            let succeeded = try? container.decode(Bool.self, forKey: Key(configuration.successKey))
        {
            guard succeeded else { throw EnvelopeSaysNo() }
            let data = Key(configuration.dataKey)
            if container.contains(data) {
                value = try container.decode(Value.self, forKey: data)
                return
            }
        }
        value = try decoder.singleValueContainer().decode(Value.self)
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// The envelope of an answer reports a failure, regardless of the status.
struct EnvelopeSaysNo: Error {}
