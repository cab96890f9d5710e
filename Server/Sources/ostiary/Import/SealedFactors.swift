import Foundation
import OstiaryCore
import OstiaryEngine

/// The sealed factors of a source of accounts, found before anything is imported.
struct SealedFactors {
    /// The first record of each export that the source consists of.
    private var samples: [(salt: [UInt8], place: String, record: AccountRecord)] = []

    /// A source of more exports than this is refused: each costs the derivation of a key.
    private static let maximumExports = 16

    var isEmpty: Bool { samples.isEmpty }

    /// Reads the source from its beginning to its end.
    ///
    /// - Throws: ``AdministrationProblem`` if it cannot be read.
    init(in source: consuming any AccountSource) throws {
        var source = source
        while let page = try source.nextPage() {
            for item in page {
                // Bad records are reported by the import.
                guard case .success(let record) = item.record, let sealed = record.factors,
                    let salt = try? FactorSeal.salt(of: sealed), !samples.contains(where: { $0.salt == salt })
                else { continue }
                guard samples.count < Self.maximumExports else {
                    throw AdministrationProblem(
                        "the source has the factors of more than \(Self.maximumExports) exports")
                }
                samples.append((salt, item.place, record))
            }
        }
    }

    /// Returns the seals of a passphrase. Blocks the thread.
    ///
    /// - Throws: ``AdministrationProblem`` if it is the wrong one.
    func seals(for passphrase: Secret<String>) throws(AdministrationProblem) -> [FactorSeal] {
        var seals: [FactorSeal] = []
        for (salt, place, record) in samples {
            let seal = try FactorSeal(passphrase: passphrase, salt: salt)
            guard seal.opens(record) else {
                throw AdministrationProblem(
                    "\(place): the passphrase is wrong, or the line was altered; nothing was imported")
            }
            seals.append(seal)
        }
        return seals
    }
}
