import Foundation
import Testing

/// A step of PostgreSQL's plan of a statement, as `auto_explain` logs it.
struct PlanNode: Decodable {
    private struct Entry: Decodable {
        var text: String
        var plan: PlanNode

        enum CodingKeys: String, CodingKey {
            case text = "Query Text"
            case plan = "Plan"
        }
    }

    struct Statement {
        var text: String
        var plan: PlanNode

        func problems(growing: Set<String>, mostRows: Double) -> [String] {
            plan.problems(growing: growing, mostRows: mostRows)
        }

        func check(growing: Set<String>, mostRows: Double) {
            for problem in problems(growing: growing, mostRows: mostRows) { Issue.record("\(problem) in: \(text)") }
        }
    }

    private var type: String
    private var relation: String?
    private var rows: Double?
    private var loops: Double?
    private var removed: Double?
    private var children: [PlanNode]?

    enum CodingKeys: String, CodingKey {
        case type = "Node Type"
        case relation = "Relation Name"
        case rows = "Actual Rows"
        case loops = "Actual Loops"
        case removed = "Rows Removed by Filter"
        case children = "Plans"
    }

    /// Returns the plans in a server's log.
    static func plans(in log: String) throws -> [Statement] {
        var plans: [Statement] = []
        var entry: [Substring]?
        func finish() throws {
            guard let lines = entry else { return }
            let read = try JSONDecoder().decode(Entry.self, from: Data(lines.joined(separator: "\n").utf8))
            plans.append(Statement(text: read.text, plan: read.plan))
        }
        for line in log.split(separator: "\n") {
            if line.hasPrefix("\t") {
                entry?.append(line)
            } else {
                try finish()
                entry = line.hasSuffix("plan:") ? [] : nil
            }
        }
        try finish()
        return plans
    }

    private func problems(growing: Set<String>, mostRows: Double) -> [String] {
        var problems: [String] = []
        let handled = ((rows ?? 0) + (removed ?? 0)) * (loops ?? 1)
        let table = relation ?? ""
        let grows = growing.contains(table) || table.hasPrefix("audit_event")
        if type == "Seq Scan", grows, handled > 0 { problems.append("Seq Scan on \(table)") }
        if type.contains("Scan"), grows, handled > mostRows {
            problems.append("\(type) of \(Int(handled)) rows of \(table)")
        }
        if type.contains("Sort"), handled > mostRows { problems.append("\(type) of \(Int(handled)) rows") }
        return problems + (children ?? []).flatMap { $0.problems(growing: growing, mostRows: mostRows) }
    }
}
