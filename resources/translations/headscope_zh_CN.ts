<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Error</name>
    <message>
        <source>the system has no memory left for this; use fewer tokens or a smaller embed_dim</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the computation failed: {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Field</name>
    <message>
        <source>text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokenizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>embed_dim</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>num_heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chunk size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key chunk size</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Foot</name>
    <message>
        <source>scores %1 whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scores %1 whole · %2 in chunks of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The largest difference of an output between chunked and whole is %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows sum to 1 ✓</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 rows sum to 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point at a cell to read it; click to lock it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory of the scores and weights of one sequence, all heads: computed whole, and the most that is held at a time in chunks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of %1 rows (a row is one query in one head) %2 sum to 1 within what the precision allows, %3 may attend to nothing, %4 hold a NaN or an infinity. Largest error of a sum: %5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>computing …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>computed in %1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the last change cost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the last change cost. Computed anew: %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>&amp;None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Padding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Causal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Padding &amp;and causal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Local window: 2 left, 2 right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sliding window with a s&amp;ink</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Long&amp;former: a window and global tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Strided, as in Sparse Transformer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dilated window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Blocks of 4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open weights file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Print…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Start over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The two sentences and the settings of the first start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>x, the token vectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>qkv, the fused projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Q</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;K</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;V</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>M&amp;asked scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Context by head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Concatenated context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour s&amp;cale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;0 to 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Per &amp;head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Shared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Logarithmic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Palette</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Viridis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Cividis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Magma</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Greys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Diverging</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;All heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Larger type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;maller type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fill of masked cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Safe: −inf, and empty rows get zeros</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Raw −inf: empty rows become NaN</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The article&apos;s −1e9: empty rows become &amp;uniform</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keyboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About HeadScope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open weights file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights (*.safetensors);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the grid of heads:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>arrows	move the locked cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter	enlarge the head, Esc: all heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space	lock or let go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About HeadScope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;h3&gt;HeadScope %1&lt;/h3&gt;&lt;p&gt;See what each head of a multi-head attention layer attends to, computed exactly as PyTorch does.&lt;/p&gt;&lt;p&gt;Built with Qt %2, QCustomPlot, Eigen, oneDNN, Highway, fmt, nlohmann-json and libzip.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later, without any warranty.&lt;/p&gt;</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>colour scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>palette</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sequence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>enlarged head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>locked cell</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
