//! Widgets that hold others.

use super::super::{
    Align, Axis, Color, Dialect, Expression, IconName, Justify, Located, RowAction, Script, Text, Widget,
};
use super::widget_structs;

widget_structs! {
    /// Children from top to bottom.
    Column {
        /// Space between children, dp.
        #[serde(default)] gap: f32,
        /// Distribution along the axis.
        #[serde(default)] justify: Justify,
        /// Alignment across the axis.
        #[serde(default)] align: Option<Align>,
        /// The children.
        #[serde(default)] children: Vec<Widget>,
    }
    /// Children from left to right, centred vertically unless `align` says otherwise.
    Row {
        /// Space between children, dp.
        #[serde(default)] gap: f32,
        /// Distribution along the axis.
        #[serde(default)] justify: Justify,
        /// Alignment across the axis.
        #[serde(default)] align: Option<Align>,
        /// The children.
        #[serde(default)] children: Vec<Widget>,
    }
    /// A raised surface with rounded corners; children from top to bottom.
    Card {
        /// A border in place of the shadow.
        #[serde(default)] outlined: bool,
        /// Space between children, dp.
        #[serde(default)] gap: f32,
        /// The children.
        #[serde(default)] children: Vec<Widget>,
    }
    /// Children one over the other, the last on top; the first gives the size.
    Stack {
        /// Where the children above the first stand across.
        #[serde(default)] align: Option<Align>,
        /// Where the children above the first stand from top to bottom.
        #[serde(default)] justify: Justify,
        /// The children.
        #[serde(default)] children: Vec<Widget>,
    }
    /// Children from left to right, in as many lines as needed.
    Wrap {
        /// Space between children and lines, dp.
        #[serde(default)] gap: f32,
        /// The children.
        #[serde(default)] children: Vec<Widget>,
    }
    /// A part that scrolls on its own.
    Scroll {
        /// Which way.
        #[serde(default)] axis: Axis,
        /// Space between children, dp.
        #[serde(default)] gap: f32,
        /// The children.
        #[serde(default)] children: Vec<Widget>,
    }
    /// The same widgets for each element of an array; `item` and `index` are variables inside.
    List {
        /// Expression that gives an array.
        items: Expression,
        /// Whether it scrolls on its own (and grows to fill its parent).
        #[serde(default)] scroll: bool,
        /// Which way it runs; a horizontal one always scrolls.
        #[serde(default)] axis: Axis,
        /// Items beside one another.
        #[serde(default)] columns: Option<usize>,
        /// Space between items, dp.
        #[serde(default)] gap: f32,
        /// Whether thin lines separate the items.
        #[serde(default)] dividers: bool,
        /// When a scrolling list has been scrolled to its end.
        #[serde(default)] on_end: Script,
        /// When a scrolling list at its beginning is pulled down.
        #[serde(default)] refresh: Script,
        /// Widgets of one item.
        item: Vec<Widget>,
    }
    /// Pages to swipe through, one in sight.
    Pager {
        /// State variable (integer): the page, from 0.
        #[serde(default)] bind: Option<Located<String>>,
        /// Whether dots below show which page is in sight.
        #[serde(default)] dots: bool,
        /// After another page came into sight.
        #[serde(default)] on_change: Script,
        /// Widgets of each page.
        pages: Vec<Vec<Widget>>,
    }
    /// A row that opens and shows more.
    Expandable {
        /// First line.
        title: Text,
        /// Second line.
        #[serde(default)] subtitle: Option<Text>,
        /// Leading icon.
        #[serde(default)] icon: Option<IconName>,
        /// State variable (boolean): open. Without one it begins closed.
        #[serde(default)] bind: Option<Located<String>>,
        /// What it shows.
        #[serde(default)] children: Vec<Widget>,
    }
    /// A row that is swiped towards the start to show its actions; swiped over more than half its width it performs
    /// the last one.
    SwipeRow {
        /// Its content.
        children: Vec<Widget>,
        /// Buttons behind it.
        actions: Vec<RowAction>,
    }
    /// A message with actions above the content.
    Banner {
        /// The message.
        text: Text,
        /// Leading icon.
        #[serde(default)] icon: Option<IconName>,
        /// Colour of its surface.
        #[serde(default)] color: Option<Color>,
        /// Text buttons.
        #[serde(default)] actions: Vec<RowAction>,
    }
    /// Cells in rows and columns, all columns as wide.
    Table {
        /// Texts of the cells, row by row.
        rows: Vec<Vec<Text>>,
        /// Whether the first row is a heading.
        #[serde(default)] header: bool,
    }
    /// A subtree that another toolkit drew: it looks and reacts as usual, the dump says it in that toolkit's way.
    Foreign {
        /// The toolkit.
        kind: Dialect,
        /// Title of a web page.
        #[serde(default)] title: Option<Text>,
        /// Space between children, dp.
        #[serde(default)] gap: f32,
        /// The children.
        #[serde(default)] children: Vec<Widget>,
    }
    /// A view whose content is drawn by the app itself: visible and tappable, but the dump shows one bare view.
    Canvas {
        /// Space between children, dp.
        #[serde(default)] gap: f32,
        /// What is drawn.
        #[serde(default)] children: Vec<Widget>,
    }
}
