//! How a step becomes the instruction the agent reads (XUAT-Copilot, section 3.3, Table 1).

use super::Parameters;
use super::mention::{blotted, mentions, quotations, quoted_text};
use super::parameters::references;
use super::rules::{RewriteRules, RulesError, Template};

/// One step, rewritten.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RewrittenStep {
    /// As the case has it.
    pub original: String,
    /// PHRASE1 of the template: often close to the page's title, no action of the user.
    pub context: Option<String>,
    /// What the user is to do, with `${name}` marks behind the parameters it speaks of.
    pub instruction: String,
    /// What the text model reads: both phrases of the template where the second tells a result and no action, else the
    /// instruction; with the same marks.
    pub sentence: String,
    /// The parameters named, by mark or by words, in order, each once.
    pub mentions: Vec<String>,
    /// The texts in quotation marks, in order.
    pub quoted: Vec<String>,
    /// Names of the rules that changed something, in order; [`RewriteRules::explain`] tells why each exists.
    pub rules: Vec<String>,
}

/// A step, taken apart.
struct Phrases {
    /// Where something is done.
    context: Option<String>,
    /// Both phrases, where the second tells a result and no action.
    told: Option<String>,
    /// What is done, in the imperative.
    instruction: String,
}

/// Rewrites steps by a table of rules.
#[derive(Debug, Clone)]
pub struct Rewriter {
    rules: RewriteRules,
}

impl Rewriter {
    /// A rewriter with the given rules.
    pub const fn new(rules: RewriteRules) -> Self {
        Self { rules }
    }

    /// A rewriter with the rules that come with Tapwright.
    pub fn bundled() -> Result<Self, RulesError> {
        RewriteRules::bundled().map(Self::new)
    }

    /// The rules in use.
    pub const fn rules(&self) -> &RewriteRules {
        &self.rules
    }

    /// Rewrites one step. Text that no rule knows stays as it is.
    pub fn rewrite(&self, step: &str, parameters: &Parameters) -> RewrittenStep {
        let mut applied = Vec::new();
        let introduced = self.without_courtesy(step.trim());
        if let (Some(_), Some(rule)) = (&introduced, &self.rules.courtesy) {
            applied.push(rule.name.clone());
        }
        let bare = introduced.as_deref().unwrap_or_else(|| step.trim());
        let Phrases { context, told, instruction } = self.untemplated(bare, &mut applied);
        let instruction = self.completed(instruction, parameters, &mut applied);
        let sentence = match told {
            // The rules were noted for the instruction already.
            Some(both) => self.completed(both, parameters, &mut Vec::new()),
            None => instruction.clone(),
        };
        let mut mentions: Vec<String> = Vec::new();
        for reference in references(&instruction) {
            if parameters.get(reference.name).is_some() && !mentions.iter().any(|name| name == reference.name) {
                mentions.push(reference.name.to_owned());
            }
        }
        let quoted: Vec<String> = quotations(&instruction)
            .into_iter()
            .map(|range| quoted_text(&instruction, &range))
            .filter(|text| !text.is_empty())
            .collect();
        RewrittenStep { original: step.to_owned(), context, quoted, instruction, sentence, mentions, rules: applied }
    }

    /// The text without "please", "now" and the like before one of the verbs of test cases; `None` where there is none.
    fn without_courtesy(&self, text: &str) -> Option<String> {
        let rule = self.rules.courtesy.as_ref()?;
        let after = |text: &str| {
            let word = rule.words.iter().find(|word| {
                let start = text.get(..word.len());
                let end = text[start.map_or(0, str::len)..].starts_with([' ', ',', ':']);
                end && start.is_some_and(|start| start.eq_ignore_ascii_case(word))
            })?;
            Some(text[word.len()..].trim_start_matches([',', ':', ' ']).to_owned())
        };
        let mut bare = after(text)?;
        // "Now please tap …"
        while let Some(shorter) = after(&bare) {
            bare = shorter;
        }
        let first: String = bare.chars().take_while(|c| c.is_alphabetic()).collect();
        let acts = self.rules.gerund.is_imperative(&first)
            || self.rules.clauses.verbs.iter().any(|verb| verb.eq_ignore_ascii_case(&first));
        let mut rest = bare.chars();
        acts.then(|| rest.next().into_iter().flat_map(char::to_uppercase).chain(rest).collect())
    }

    /// The text with its parameters marked, and with what goes without saying.
    fn completed(&self, mut text: String, parameters: &Parameters, applied: &mut Vec<String>) -> String {
        if let Some(marked) = self.marked(&text, parameters) {
            text = marked;
            applied.push(self.rules.mention.name.clone());
        }
        for supplement in &self.rules.supplements {
            if let Some(longer) = supplement.applied_to(&text) {
                text = longer;
                applied.push(supplement.rule.name.clone());
            }
        }
        text
    }

    /// True for a phrase that begins with the gerund of a verb of test cases: "selecting", but not "being".
    fn acts(&self, phrase: &str) -> bool {
        let first: String = phrase.chars().take_while(|c| c.is_alphabetic()).collect();
        self.rules.gerund.listed(&first.to_lowercase()).is_some()
    }

    /// Takes a template apart; text that no template fits is the instruction as it stands.
    fn untemplated(&self, step: &str, applied: &mut Vec<String>) -> Phrases {
        let fits = |template: &'_ Template| template.pattern.captures(step);
        let found = self.rules.templates.iter().find_map(|template| Some((template, fits(template)?)));
        let Some((template, phrases)) = found else {
            return Phrases { context: None, told: None, instruction: step.to_owned() };
        };
        applied.push(template.rule.name.clone());
        let phrase = |name: &str| phrases.name(name).map_or("", |found| found.as_str().trim());
        let (context, result) = (phrase("context"), phrase("instruction"));
        let acts = self.acts(result);
        let imperative = (acts || template.result_may_be_all).then(|| self.imperative(result)).flatten();
        if imperative.is_some() {
            applied.push(self.rules.gerund.name.clone());
        }
        let instruction = match imperative {
            None if template.result_may_be_all => {
                applied.push(self.rules.result_only.name.clone());
                context.to_owned()
            }
            imperative => imperative.unwrap_or_else(|| result.to_owned()),
        };
        // Where the result phrase is an action already, the context would only blur it.
        let told =
            (template.result_may_be_all && !acts).then(|| format!("{}. {}", capitalised(context), capitalised(result)));
        let context = (!context.is_empty()).then(|| context.to_owned());
        Phrases { context, told, instruction: capitalised(&instruction) }
    }

    /// `selecting bank and entering phone` as `select bank and enter phone`; `None` without a leading gerund.
    fn imperative(&self, phrase: &str) -> Option<String> {
        let gerund = &self.rules.gerund;
        let (first, rest) = phrase.split_at(phrase.find(|c: char| !c.is_alphanumeric()).unwrap_or(phrase.len()));
        let mut out = gerund.imperative(first)?;
        // Verbs in a row: only listed ones, a word like 'banking' may be a noun.
        let hidden = blotted(rest);
        let mut joins = false;
        let mut from = 0;
        while from < rest.len() {
            let inside = |c: char| c.is_alphanumeric() || c == '"';
            let in_word = hidden[from..].starts_with(inside);
            let length = hidden[from..].find(|c: char| inside(c) != in_word).unwrap_or(rest.len() - from);
            let (part, seen) = (&rest[from..from + length], &hidden[from..from + length]);
            match gerund.listed(seen).filter(|_| joins) {
                Some(verb) => out.push_str(verb),
                None => out.push_str(part),
            }
            joins = if in_word { matches!(seen, "and" | "then" | "or") } else { joins || seen.contains([',', ';']) };
            from += length;
        }
        Some(out)
    }

    /// The instruction with a mark behind every parameter it speaks of and does not already refer to.
    fn marked(&self, instruction: &str, parameters: &Parameters) -> Option<String> {
        let referred = references(instruction);
        let mut out = instruction.to_owned();
        let found = mentions(&blotted(instruction), parameters, &self.rules.mention);
        let fresh = found.iter().rev().filter(|mention| !referred.iter().any(|r| r.name == mention.name));
        for mention in fresh {
            out.insert_str(mention.words.end, &format!(" ${{{}}}", mention.name));
        }
        (out != instruction).then_some(out)
    }
}

impl super::rules::Supplement {
    fn applied_to(&self, instruction: &str) -> Option<String> {
        let hidden = blotted(instruction);
        if self.unless.as_ref().is_some_and(|unless| unless.is_match(instruction)) {
            return None;
        }
        let mut end = self.when.captures(&hidden)?.name("phrase")?.end();
        // Behind the phrase's own mark.
        if let Some(mark) = references(instruction).iter().find(|r| instruction.get(end..r.start) == Some(" ")) {
            end = mark.end;
        }
        let mut out = instruction.to_owned();
        out.insert_str(end, &self.insert);
        Some(out)
    }
}

pub(super) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::ParameterValue;
    use std::sync::LazyLock;

    static REWRITER: LazyLock<Rewriter> = LazyLock::new(|| Rewriter::bundled().unwrap());

    fn rewrite(step: &str) -> RewrittenStep {
        let mut parameters = Parameters::default();
        parameters.insert("bank_name", ParameterValue::plain("Evergreen Bank"));
        parameters.insert("payment_password", ParameterValue::secret("135790"));
        REWRITER.rewrite(step, &parameters)
    }

    #[test]
    fn what_only_introduces_an_instruction_is_left_out() {
        let rewriter = Rewriter::bundled().unwrap();
        let said = |text: &str| rewriter.rewrite(text, &Parameters::default()).instruction;
        assert_eq!(said("Please open the cart"), "Open the cart");
        assert_eq!(said("Now, please tap \"Next\""), "Tap \"Next\"");
        assert_eq!(said("Next page"), "Next page", "no verb follows");
        assert_eq!(said("Open the cart, please"), "Open the cart, please");
        assert_eq!(rewriter.rewrite("Then pay", &Parameters::default()).rules, ["courtesy"]);
    }

    #[test]
    fn the_two_examples_of_table_1_are_rewritten() {
        let one = rewrite(
            "System requests User to select a bank for card-less binding, and System validates the result feedback \
             from User is selecting bank.",
        );
        assert_eq!(one.context.as_deref(), Some("select a bank for card-less binding"));
        assert_eq!(one.instruction, "Select bank ${bank_name}");
        assert_eq!(one.sentence, one.instruction);
        assert_eq!(one.mentions, ["bank_name"]);
        assert_eq!(one.rules, ["template", "gerund-to-imperative", "parameter-mark"]);
        let two = rewrite(
            "System requests User to set payment password, and System validates the result feedback from User is \
             submitting payment password.",
        );
        assert_eq!(two.instruction, "Submit payment password ${payment_password} by the numeric keyboard");
        assert_eq!(two.rules, ["template", "gerund-to-imperative", "parameter-mark", "numeric-keyboard"]);
    }

    #[test]
    fn a_template_whose_second_phrase_names_no_action_falls_back_on_the_first() {
        let step = rewrite(
            "The system requests the user to agree to the terms, and the system validates that the terms are accepted.",
        );
        assert_eq!(step.instruction, "Agree to the terms");
        assert_eq!(step.sentence, "Agree to the terms. The terms are accepted");
        assert_eq!(step.rules, ["template", "result-only"]);
    }

    #[test]
    fn the_template_is_known_in_chinese_too() {
        for step in [
            "系统请求用户打开探索页，并验证用户反馈的结果是显示精选内容。",
            "系统请求用户打开探索页，系统验证用户反馈的结果为显示精选内容",
        ] {
            let step = rewrite(step);
            assert_eq!((step.instruction.as_str(), step.context.as_deref()), ("打开探索页", Some("打开探索页")));
        }
    }

    #[test]
    fn verbs_in_a_row_all_become_imperatives() {
        let step = rewrite(
            "System requests User to go on, and System validates the result feedback from User is ticking the box, then clicking \"Entering and clicking\" and confirming",
        );
        assert_eq!(step.instruction, "Tick the box, then click \"Entering and clicking\" and confirm");
        assert_eq!(step.quoted, ["Entering and clicking"]);
    }

    #[test]
    fn a_free_sentence_is_only_marked_and_supplemented() {
        let step = rewrite("Enter the payment password and tap Confirm.");
        assert_eq!(
            step.instruction,
            "Enter the payment password ${payment_password} by the numeric keyboard and tap Confirm."
        );
        assert_eq!(rewrite("Open the forgot payment password link").rules, Vec::<String>::new());
        assert_eq!(rewrite("Type the PIN on the numeric keypad").instruction, "Type the PIN on the numeric keypad");
        for untouched in ["Tap “Banking”", "Choose ${bank_name} as the bank", "点击“同意”", "", "Bind a bank card"]
        {
            let step = rewrite(untouched);
            assert_eq!((step.instruction.as_str(), step.sentence.as_str()), (untouched, untouched));
            assert_eq!(step.rules, Vec::<String>::new());
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_can_be_rewritten_and_a_free_one_keeps_its_words(step in "(?s)[ a-zA-Z,.'\"“”${}_é]{0,60}") {
            let rewritten = rewrite(&step);
            if rewritten.rules.is_empty() {
                proptest::prop_assert_eq!(rewritten.instruction, step.trim());
            }
        }
    }

    #[test]
    fn a_secret_never_enters_the_instruction() {
        let step = rewrite("Submit payment password ${payment_password}");
        assert!(!format!("{step:?}").contains("135790"));
        assert_eq!(step.mentions, ["payment_password"]);
        assert_eq!(step.instruction, "Submit payment password ${payment_password} by the numeric keyboard");
    }
}
