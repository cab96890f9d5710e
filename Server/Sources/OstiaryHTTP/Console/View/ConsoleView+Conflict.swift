import OstiaryEngine

/// Forms that are shown again after what they show was changed.
extension ConsoleView.Form {
    /// Adds hidden fields that tell an outdated form's entries from what it showed.
    ///
    /// - Parameter tag: The tag of all values that the form shows.
    mutating func addShownValues(_ tag: EntityTag) {
        formHidden.append(ConsoleView.Hidden(hiddenName: ConsoleForm.entityTag, hiddenValue: tag.text))
        for entry in formFields.flatMap(\.entries) {
            formHidden.append(
                ConsoleView.Hidden(
                    hiddenName: ConsoleForm.shownField(of: entry.name),
                    hiddenValue: entry.texts.map { EntityTag(ofText: $0).text }.joined(separator: ".")))
        }
    }

    /// Keeps the hidden fields of ``addShownValues(_:)`` of a form that this one shows again: it is outdated as before.
    mutating func keepShownValues(of form: ConsoleForm) {
        formHidden = formHidden.compactMap(form.keeping)
    }

    /// Keeps in this form, which shows the present values, what was entered in an outdated form.
    ///
    /// An entry that the outdated form showed already is not kept: it would undo the change that came between.
    mutating func keepEntries(of outdated: ConsoleForm, _ texts: any ConsoleTexts) {
        formFields = formFields.map { $0.keepingEntry(of: outdated, texts) }
    }
}

extension ConsoleView.Field {
    /// The controls of the field by name, each with the texts that the form shows in it; none for a password.
    fileprivate var entries: [(name: String, texts: [String])] {
        if let group { return group.groupChecks.map { ($0.checkName, $0.isOn ? [ConsoleForm.checked] : []) } }
        if let check { return [(fieldName, check.isChecked ? [ConsoleForm.checked] : [])] }
        if let area { return [(fieldName, ConsoleForm.lines(in: area.areaValue))] }
        if let input, input.inputType != "password" { return [(fieldName, [input.inputValue])] }
        return []
    }

    /// Returns the field with what was entered in an outdated form, and with the present value beside it if another one was shown.
    fileprivate func keepingEntry(of form: ConsoleForm, _ texts: any ConsoleTexts) -> Self {
        var field = self
        var problem: String?
        if let group {
            var isChanged = false
            field.group?.groupChecks = group.groupChecks.map { check in
                guard let shown = form.shownTags(of: check.checkName) else { return check }
                if check.isOn == shown.isEmpty { isChanged = true }
                var check = check
                let isOn = form.isChecked(check.checkName)
                if isOn == shown.isEmpty { check.isOn = isOn }
                return check
            }
            problem = isChanged ? texts.changedMeanwhile : nil
        } else if let shown = form.shownTags(of: fieldName) {
            if let check {
                // About the values beside it, which may be others: it is entered again.
                let isOn = form.isChecked(fieldName)
                if check.isChecked == shown.isEmpty {
                    problem = texts.changedMeanwhile
                } else if isOn != check.isChecked {
                    problem = texts.choiceNotKept
                }
            } else if let area {
                let present = ConsoleForm.lines(in: area.areaValue)
                let entered = ConsoleForm.lines(in: form[fieldName] ?? "")
                let lines = Self.merged(present, entered: entered, shown: Set(shown))
                field.area?.areaValue = lines.joined(separator: "\n")
                if Set(shown) != Set(present.map { EntityTag(ofText: $0) }) {
                    problem = texts.changedTo(present.joined(separator: ", "))
                }
            } else if let input {
                let entered = form[fieldName] ?? ""
                let isChanged = shown != [EntityTag(ofText: input.inputValue)]
                if shown == [EntityTag(ofText: entered)] || entered.utf8.elementsEqual(input.inputValue.utf8) {
                    problem = isChanged ? texts.changedMeanwhile : nil
                } else {
                    field.input?.inputValue = entered
                    problem = isChanged ? texts.changedTo(input.inputValue) : nil
                }
            }
        }
        return problem.map { field.marked($0) } ?? field
    }

    /// Returns the present lines without those that were removed in a form that showed others, and with those that were added.
    private static func merged(_ present: [String], entered: [String], shown: Set<EntityTag>) -> [String] {
        let presentTags = Set(present.map { EntityTag(ofText: $0) })
        let enteredTags = Set(entered.map { EntityTag(ofText: $0) })
        let kept = present.filter { line in
            let tag = EntityTag(ofText: line)
            return enteredTags.contains(tag) || !shown.contains(tag)
        }
        let added = entered.filter { line in
            let tag = EntityTag(ofText: line)
            return !shown.contains(tag) && !presentTags.contains(tag)
        }
        return kept + added
    }
}
