import Foundation

/// Plays the attacks, and prints their figures as tables in Markdown.
@main
enum BenchAttacks {
    private static let seed: UInt64 = 2026

    static func main() async throws {
        print(try await signIns())
        print()
        print(try await messages())
    }

    private static func signIns() async throws -> String {
        var rows = [
            [
                "play", "tries", "guesses", "computations", "accounts opened", "sign-ins of people",
                "owners delayed", "on a new device", "computed per 1,000", "false challenges per 1,000",
                "notices per person and month",
            ]
        ]
        for play in SignInPlay.all {
            let figures = try await play.run(seed: seed)
            rows.append([
                play.name, count(figures.tries), count(figures.guesses), count(figures.computations),
                count(figures.opened.count), count(figures.signIns), count(figures.delayed.count),
                count(figures.delayedOnNewDevice.count),
                decimal(figures.computedByPeople), decimal(figures.falseChallenges), decimal(figures.noticesPerMonth),
            ])
        }
        return table(rows)
    }

    private static func messages() async throws -> String {
        var rows = [["play", "requests", "messages", "requests of owners", "messages to owners"]]
        for (name, requests) in [("A day without an attack", 0), ("Pumping from 1,000 networks", 1)] {
            let result = try await MessagePlay(requestsPerSecond: requests).run(seed: seed)
            rows.append([
                name, count(result.attackerRequests), count(result.attackerMessages), count(result.ownerRequests),
                count(result.ownerMessages),
            ])
        }
        return table(rows)
    }

    private static func table(_ rows: [[String]]) -> String {
        var lines = rows.map { "| \($0.joined(separator: " | ")) |" }
        lines.insert("| --- |" + String(repeating: " ---: |", count: rows[0].count - 1), at: 1)
        return lines.joined(separator: "\n")
    }

    private static func count(_ number: Int) -> String {
        var text = String(number)
        for place in stride(from: text.count - 3, to: 0, by: -3) {
            text.insert(",", at: text.index(text.startIndex, offsetBy: place))
        }
        return text
    }

    private static func decimal(_ number: Double) -> String { String(format: "%.1f", number) }
}
