<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>CellSteps</name>
    <message numerus="yes">
        <source>%1 · %2, over %3 dimensions</source>
        <translation>
            <numerusform>%1 · %2, over %3 dimension</numerusform>
            <numerusform>%1 · %2, over %3 dimensions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CompareWords</name>
    <message numerus="yes">
        <source>%n keys change by less than 0.01</source>
        <translation>
            <numerusform>%n key changes by less than 0.01</numerusform>
            <numerusform>%n keys change by less than 0.01</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more keys change less</source>
        <translation>
            <numerusform>%n more key changes less</numerusform>
            <numerusform>%n more keys change less</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cells are NaN in one of the two only</source>
        <translation>
            <numerusform>%n cell is NaN in one of the two only</numerusform>
            <numerusform>%n cells are NaN in one of the two only</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A has %1 tokens and B has %2</source>
        <translation>
            <numerusform>A has %1 token and B has %2</numerusform>
            <numerusform>A has %1 tokens and B has %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>attends to %1 of %2 keys</source>
        <translation>
            <numerusform>attends to %1 of %2 key</numerusform>
            <numerusform>attends to %1 of %2 keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>attends to %1 of %3 keys in A, %2 in B</source>
        <translation>
            <numerusform>attends to %1 of %3 key in A, %2 in B</numerusform>
            <numerusform>attends to %1 of %3 keys in A, %2 in B</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RowWords</name>
    <message numerus="yes">
        <source>%1 (query %2) attends to %3 of %4 keys in head %5</source>
        <translation>
            <numerusform>%1 (query %2) attends to %3 of %4 key in head %5</numerusform>
            <numerusform>%1 (query %2) attends to %3 of %4 keys in head %5</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ToolTip</name>
    <message numerus="yes">
        <source> (%n characters)</source>
        <translation>
            <numerusform> (%n character)</numerusform>
            <numerusform> (%n characters)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope</name>
    <message numerus="yes">
        <source>&apos;%1&apos; (query %2) can attend to %3 of %4 keys</source>
        <translation>
            <numerusform>&apos;%1&apos; (query %2) can attend to %3 of %4 key</numerusform>
            <numerusform>&apos;%1&apos; (query %2) can attend to %3 of %4 keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%3 of %4 queries can attend to &apos;%1&apos; (key %2)</source>
        <translation>
            <numerusform>%3 of %4 query can attend to &apos;%1&apos; (key %2)</numerusform>
            <numerusform>%3 of %4 queries can attend to &apos;%1&apos; (key %2)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queries have no key to attend to: </source>
        <translation>
            <numerusform>%n query has no key to attend to: </numerusform>
            <numerusform>%n queries have no key to attend to: </numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Tile %1 of %2: queries %3 × keys %4 is computed: all of its %6 cells are allowed.</source>
        <translation>
            <numerusform>Tile %1 of %2: queries %3 × keys %4 is computed: its %6 cell is allowed.</numerusform>
            <numerusform>Tile %1 of %2: queries %3 × keys %4 is computed: all of its %6 cells are allowed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Tile %1 of %2: queries %3 × keys %4 is computed: %5 of its %6 cells are allowed.</source>
        <translation>
            <numerusform>Tile %1 of %2: queries %3 × keys %4 is computed: %5 of its %6 cells is allowed.</numerusform>
            <numerusform>Tile %1 of %2: queries %3 × keys %4 is computed: %5 of its %6 cells are allowed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope::Foot</name>
    <message numerus="yes">
        <source>%1 of %2 rows sum to 1</source>
        <translation>
            <numerusform>%1 of %2 row sums to 1</numerusform>
            <numerusform>%1 of %2 rows sum to 1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope::LayerChoice</name>
    <message numerus="yes">
        <source>%n heads</source>
        <translation>
            <numerusform>%n head</numerusform>
            <numerusform>%n heads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key/value heads</source>
        <translation>
            <numerusform>%n key/value head</numerusform>
            <numerusform>%n key/value heads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope::LayerList</name>
    <message numerus="yes">
        <source>Layers: %1 of %2 cells allowed</source>
        <translation>
            <numerusform>Layers: %1 of %2 cell allowed</numerusform>
            <numerusform>Layers: %1 of %2 cells allowed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope::MaskSection</name>
    <message numerus="yes">
        <source>%n queries have no key to attend to</source>
        <translation>
            <numerusform>%n query has no key to attend to</numerusform>
            <numerusform>%n queries have no key to attend to</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>In a head, %n queries have no key to attend to</source>
        <translation>
            <numerusform>In a head, %n query has no key to attend to</numerusform>
            <numerusform>In a head, %n queries have no key to attend to</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope::PrecisionTable</name>
    <message numerus="yes">
        <source>%1 in query %2, key %3, of %4 cells that are allowed and finite</source>
        <translation>
            <numerusform>%1 in query %2, key %3, of %4 cell that is allowed and finite</numerusform>
            <numerusform>%1 in query %2, key %3, of %4 cells that are allowed and finite</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope::ReachLegend</name>
    <message numerus="yes">
        <source>1 to %n layers: the fewer, the stronger the colour</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>1 to %n layers: the fewer, the stronger the colour</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope::ReachPanel</name>
    <message numerus="yes">
        <source>%1 depends on %2 of %3 tokens after %n layers; layer by layer: %4.</source>
        <translation>
            <numerusform>%1 depends on %2 of %3 tokens after %n layer; layer by layer: %4.</numerusform>
            <numerusform>%1 depends on %2 of %3 tokens after %n layers; layer by layer: %4.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 does not reach %2, not even after %n layers.</source>
        <translation>
            <numerusform>%1 does not reach %2, not even after %n layer.</numerusform>
            <numerusform>%1 does not reach %2, not even after %n layers.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 reaches %2 only after %n layers.</source>
        <translation>
            <numerusform>%1 reaches %2 only after %n layer.</numerusform>
            <numerusform>%1 reaches %2 only after %n layers.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n layers.</source>
        <comment>a path of tokens</comment>
        <translation>
            <numerusform>%1: %n layer.</numerusform>
            <numerusform>%1: %n layers.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pairs leak: %1 forbids them at any depth. The first is %2 → %3.</source>
        <translation>
            <numerusform>%n pair leaks: %1 forbids it at any depth. It is %2 → %3.</numerusform>
            <numerusform>%n pairs leak: %1 forbids them at any depth. The first is %2 → %3.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layers</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No pair leaks: after %n layers, no query depends on a key that %1 forbids at any depth.</source>
        <translation>
            <numerusform>No pair leaks: after %n layer, no query depends on a key that %1 forbids at any depth.</numerusform>
            <numerusform>No pair leaks: after %n layers, no query depends on a key that %1 forbids at any depth.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope::RecordedView</name>
    <message numerus="yes">
        <source>the sums of %1 of %n rows differ from 1 by more than rounding explains</source>
        <translation>
            <numerusform>the sum of %1 of %n row differs from 1 by more than rounding explains</numerusform>
            <numerusform>the sums of %1 of %n rows differ from 1 by more than rounding explains</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope::SummaryView</name>
    <message numerus="yes">
        <source>%n groups</source>
        <translation>
            <numerusform>%n group</numerusform>
            <numerusform>%n groups</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1% of the weight: %2 of %3 cells (%4)</source>
        <translation>
            <numerusform>%1% of the weight: %2 of %3 cell (%4)</numerusform>
            <numerusform>%1% of the weight: %2 of %3 cells (%4)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Mean of %n heads: derived, nn.MultiheadAttention returns this by default</source>
        <translation>
            <numerusform>Mean of %n head: derived, nn.MultiheadAttention returns this by default</numerusform>
            <numerusform>Mean of %n heads: derived, nn.MultiheadAttention returns this by default</numerusform>
        </translation>
    </message>
</context>
</TS>
