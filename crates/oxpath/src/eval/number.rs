//! Numbers.

use super::{Context, Evaluator, Result};
use crate::plan::{Nodes, Number, Operator};
use crate::value::{round, string_to_number};

impl<'p> Evaluator<'p> {
    /// As with truth values, each kind that needs much stack has its own function.
    pub(super) fn number(&mut self, number: &'p Number, context: Context) -> Result<f64> {
        match number {
            Number::Constant(value) => Ok(*value),
            Number::Position => Ok(context.position as f64),
            Number::Last => Ok(context.size as f64),
            Number::Count(nodes) => self.count(nodes, context),
            Number::Sum(nodes) => self.sum(nodes, context),
            Number::Extreme { nodes, largest } => self.extreme(nodes, *largest, context),
            Number::FirstOf(operands) => self.first_number(operands, context),
            Number::OfText(text) => self.text(text, context).map(|text| string_to_number(&text)),
            Number::OfTruth(truth) => self.truth(truth, context).map(|truth| f64::from(u8::from(truth))),
            Number::Arithmetic(operator, left, right) => self.arithmetic(*operator, left, right, context),
            Number::Negate(inner) => self.number(inner, context).map(|number| -number),
            Number::Floor(inner) => self.number(inner, context).map(f64::floor),
            Number::Ceiling(inner) => self.number(inner, context).map(f64::ceil),
            Number::Round(inner) => self.number(inner, context).map(round),
            Number::Length(text) => self.text(text, context).map(|text| text.chars().count() as f64),
            Number::Memo { slot, inner } => self.remembered_number(*slot, inner, context),
            Number::Fixed { slot, inner } => self.fixed_number(*slot, inner, context),
        }
    }

    fn first_number(&mut self, operands: &'p [Number], context: Context) -> Result<f64> {
        for operand in operands {
            let number = self.number(operand, context)?;
            if !number.is_nan() {
                return Ok(number);
            }
        }
        Ok(f64::NAN)
    }

    /// As in XPath 2.0, a value that is no number makes the result none; so does an empty set.
    fn extreme(&mut self, nodes: &'p Nodes, largest: bool, context: Context) -> Result<f64> {
        let mut extreme: Option<f64> = None;
        for &node in self.nodes(nodes, context)?.iter() {
            let number = string_to_number(self.page.string_value(node));
            if number.is_nan() {
                return Ok(f64::NAN);
            }
            let beats = |best: f64| if largest { number > best } else { number < best };
            if extreme.is_none_or(beats) {
                extreme = Some(number);
            }
        }
        Ok(extreme.unwrap_or(f64::NAN))
    }

    fn fixed_number(&mut self, slot: usize, inner: &'p Number, context: Context) -> Result<f64> {
        if let Some(answer) = self.memory.fixed_numbers[slot] {
            return Ok(answer);
        }
        let answer = self.number(inner, context)?;
        self.memory.fixed_numbers[slot] = Some(answer);
        Ok(answer)
    }

    fn arithmetic(&mut self, operator: Operator, left: &'p Number, right: &'p Number, context: Context) -> Result<f64> {
        let left = self.number(left, context)?;
        let right = self.number(right, context)?;
        Ok(match operator {
            Operator::Add => left + right,
            Operator::Subtract => left - right,
            Operator::Multiply => left * right,
            Operator::Divide => left / right,
            // Like Rust's, XPath's remainder takes the sign of the dividend.
            Operator::Modulo => left % right,
        })
    }

    fn remembered_number(&mut self, slot: usize, inner: &'p Number, context: Context) -> Result<f64> {
        if let Some(answer) = self.memory.numbers[slot].get(&context.node) {
            return Ok(*answer);
        }
        let answer = self.number(inner, context)?;
        self.memory.numbers[slot].insert(context.node, answer);
        Ok(answer)
    }
}
