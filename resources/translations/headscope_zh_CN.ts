<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>CellExplanation</name>
    <message>
        <source>&apos;%1&apos; (query %2) is masked from &apos;%3&apos; (key %4)</source>
        <translation>“%1”（查询 %2）对“%3”（键 %4）被掩码</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (query %2) is allowed to attend to &apos;%3&apos; (key %4)</source>
        <translation>允许“%1”（查询 %2）注意“%3”（键 %4）</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (query %2) scores %5 with &apos;%3&apos; (key %4) in head %6</source>
        <translation>头 %6 中，“%1”（查询 %2）与“%3”（键 %4）的分数为 %5</translation>
    </message>
    <message>
        <source>Masked: &apos;%1&apos; (query %2) can&apos;t attend to &apos;%3&apos; (key %4)</source>
        <translation>被掩码：“%1”（查询 %2）不能注意“%3”（键 %4）</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (query %2) takes %5 from &apos;%3&apos; (key %4) in head %6: leaked weight on a masked key</source>
        <translation>“%1”（查询 %2）在头 %6 中从“%3”（键 %4）取 %5：被掩码的键上有泄漏的权重</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (query %2) takes %5 from &apos;%3&apos; (key %4) in head %6</source>
        <translation>头 %6 中，“%1”（查询 %2）从“%3”（键 %4）取 %5</translation>
    </message>
    <message>
        <source>%1 of &apos;%2&apos;%3 = %4</source>
        <translation>“%2”的 %1%3 = %4</translation>
    </message>
    <message>
        <source> (%1 of head %2, dimension %3)</source>
        <translation>（头 %2 的 %1，第 %3 维）</translation>
    </message>
    <message>
        <source> in head %1 (%2, dimension %3)</source>
        <translation>，头 %1（%2，第 %3 维）</translation>
    </message>
    <message>
        <source> (head %1, dimension %2)</source>
        <translation>（头 %1，第 %2 维）</translation>
    </message>
    <message>
        <source> in head %1</source>
        <translation>，头 %1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (query %2) takes NaN from &apos;%3&apos; (key %4) in head %6: not all of its scores are numbers</source>
        <translation>在头 %6 中，“%1”（查询 %2）从“%3”（键 %4）取 NaN：它的分数并非都是数</translation>
    </message>
</context>
<context>
    <name>CellSteps</name>
    <message>
        <source>, rounded to %1</source>
        <translation>，舍入到 %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 · %2, over %3 dimensions</source>
        <translation>
            <numerusform>%1 · %2，共 %3 维</numerusform>
        </translation>
    </message>
    <message>
        <source>sum of products</source>
        <translation>乘积之和</translation>
    </message>
    <message>
        <source>score</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>after the mask</source>
        <translation>掩码之后</translation>
    </message>
    <message>
        <source>exponential</source>
        <translation>指数</translation>
    </message>
    <message>
        <source>%1 / %2, the sum of the row</source>
        <translation>%1 / %2，除以该行之和</translation>
    </message>
    <message>
        <source>, too small for %1</source>
        <translation>，小得 %1 无法表示</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>weight · %1</source>
        <translation>权重 · %1</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>allowed: the score is unchanged</source>
        <translation>允许：分数不变</translation>
    </message>
    <message>
        <source>allowed</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>masked by %1</source>
        <translation>被掩码：%1</translation>
    </message>
    <message>
        <source>masked: %1</source>
        <translation>被掩码：%1</translation>
    </message>
    <message>
        <source>none: the row is fully masked</source>
        <translation>无：该行为全掩码行</translation>
    </message>
    <message>
        <source>fully masked row</source>
        <translation>全掩码行</translation>
    </message>
    <message>
        <source>%1: minus the maximum of the row</source>
        <translation>%1：减去该行的最大值</translation>
    </message>
    <message>
        <source>0: fill “safe” zeroes fully masked rows</source>
        <translation>0：填充值 “safe” 使全掩码行为零</translation>
    </message>
    <message>
        <source>masked, but still weighted because the fill is finite</source>
        <translation>被掩码，但因填充值有限而仍有权重</translation>
    </message>
    <message>
        <source>How %1 (query %2) comes to its weight on %3 (key %4) in head %5</source>
        <translation>%1（查询 %2）在头 %5 中对 %3（键 %4）的权重如何得出</translation>
    </message>
    <message>
        <source>adds nothing to the context of %1</source>
        <translation>对 %1 的上下文没有贡献</translation>
    </message>
    <message>
        <source>adds %1 · %2 to the context of %3</source>
        <translation>为 %3 的上下文加上 %1 · %2</translation>
    </message>
    <message>
        <source>‖weight · v‖ = %1 in the context, ‖weight · v W_Oᵀ‖ = %2 in the output</source>
        <translation>在上下文中 ‖权重 · v‖ = %1，在输出中 ‖权重 · v W_Oᵀ‖ = %2</translation>
    </message>
    <message>
        <source>, divided by their root mean square</source>
        <translation>，除以各自的均方根</translation>
    </message>
    <message>
        <source>, rotated by their positions</source>
        <translation>，按位置旋转</translation>
    </message>
    <message>
        <source>scaled</source>
        <translation>缩放后</translation>
    </message>
    <message>
        <source>%1 − %2 · %3, the slope of head %4 times the distance</source>
        <translation>%1 − %2 · %3，头 %4 的斜率乘以距离</translation>
    </message>
    <message>
        <source>soft cap</source>
        <translation>软上限</translation>
    </message>
    <message>
        <source>ALiBi</source>
        <translation>ALiBi</translation>
    </message>
    <message>
        <source>%1 / %2, the sum of the row with %3 of the sink, exp(%4 − %5)</source>
        <translation>%1 / %2，即该行之和，其中汇点占 %3，即 exp(%4 − %5)</translation>
    </message>
</context>
<context>
    <name>CompareWords</name>
    <message>
        <source>masked in B</source>
        <translation>在 B 中被掩码</translation>
    </message>
    <message>
        <source>masked in A</source>
        <translation>在 A 中被掩码</translation>
    </message>
    <message>
        <source>entropy in bits</source>
        <translation>熵（比特）</translation>
    </message>
    <message>
        <source>A: %1</source>
        <translation>A：%1</translation>
    </message>
    <message>
        <source>B: %1</source>
        <translation>B：%1</translation>
    </message>
    <message>
        <source>%1: %2 in both</source>
        <translation>%1：两者均为 %2</translation>
    </message>
    <message>
        <source>%1: %2 → %3</source>
        <translation>%1：%2 → %3</translation>
    </message>
    <message numerus="yes">
        <source>%n keys change by less than 0.01</source>
        <translation>
            <numerusform>%n 个键的变化小于 0.01</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more keys change less</source>
        <translation>
            <numerusform>另有 %n 个键变化更小</numerusform>
        </translation>
    </message>
    <message>
        <source>future</source>
        <translation>未来</translation>
    </message>
    <message>
        <source>past</source>
        <translation>过去</translation>
    </message>
    <message>
        <source>A and B have the same settings</source>
        <translation>A 与 B 的设置相同</translation>
    </message>
    <message>
        <source>B differs from A in %1</source>
        <translation>B 与 A 的不同之处：%1</translation>
    </message>
    <message>
        <source>no mask</source>
        <translation>无掩码</translation>
    </message>
    <message>
        <source>B has no head %1 to compare: its heads are numbered from 0 to %2</source>
        <translation>B 没有可比较的头 %1：它的头编号为 0 到 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n cells are NaN in one of the two only</source>
        <translation>
            <numerusform>%n 个单元格只在其中一个中为 NaN</numerusform>
        </translation>
    </message>
    <message>
        <source>A and B have the same number in every cell</source>
        <translation>A 与 B 的每个单元格数值都相同</translation>
    </message>
    <message>
        <source>%1 (query %2)</source>
        <translation>%1（查询 %2）</translation>
    </message>
    <message>
        <source>%1 (key %2)</source>
        <translation>%1（键 %2）</translation>
    </message>
    <message>
        <source>dimension %1</source>
        <translation>第 %1 维</translation>
    </message>
    <message>
        <source>largest difference A − B: %1 at %2, %3</source>
        <translation>最大差 A − B：%1，位于 %2，%3</translation>
    </message>
    <message numerus="yes">
        <source>A has %1 tokens and B has %2</source>
        <translation>
            <numerusform>A 有 %1 个词元，B 有 %2 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1, dimension %2</source>
        <translation>%1，第 %2 维</translation>
    </message>
    <message>
        <source>%1: A %2, B %3, A − B %4</source>
        <translation>%1：A %2，B %3，A − B %4</translation>
    </message>
    <message numerus="yes">
        <source>attends to %1 of %2 keys</source>
        <translation>
            <numerusform>注意 %2 个键中的 %1 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>attends to %1 of %3 keys in A, %2 in B</source>
        <translation>
            <numerusform>在 A 中注意 %3 个键中的 %1 个，在 B 中 %2 个</numerusform>
        </translation>
    </message>
    <message>
        <source>A and B are equal within rounding: they differ by at most %1</source>
        <translation>A 与 B 在舍入误差内相等：最多相差 %1</translation>
    </message>
    <message>
        <source>In a sample of %1 of %2 rows: %3</source>
        <translation>在 %2 行中抽样的 %1 行里：%3</translation>
    </message>
</context>
<context>
    <name>Error</name>
    <message>
        <source>the system has no memory left for this; use fewer tokens or a smaller embed_dim</source>
        <translation>系统没有足够的内存；请减少词元或减小 embed_dim</translation>
    </message>
    <message>
        <source>the computation failed: {}</source>
        <translation>计算失败：{}</translation>
    </message>
    <message>
        <source>{} is empty; it must be a whole number from {} to {}</source>
        <translation>{} 为空；必须是 {} 到 {} 的整数</translation>
    </message>
    <message>
        <source>{} is &apos;{}&apos;; it must be a whole number from {} to {}</source>
        <translation>{} 为“{}”；必须是 {} 到 {} 的整数</translation>
    </message>
    <message>
        <source>{} is &apos;{}&apos;; it must be &apos;whole&apos; or a whole number of at least 1</source>
        <translation>{} 为“{}”；必须是 whole 或不小于 1 的整数</translation>
    </message>
    <message>
        <source>scale is &apos;{}&apos;; it must be &apos;auto&apos; (1/√head_dim) or a number such as 0.125</source>
        <translation>缩放为“{}”；必须是 auto（1/√head_dim）或一个数，例如 0.125</translation>
    </message>
    <message>
        <source>tokenizer is &apos;{}&apos;; it must be space, words or characters</source>
        <translation>分词方式为“{}”；必须是 space、words 或 characters</translation>
    </message>
    <message>
        <source>weights is empty; it must be textbook, seed or the path of a safetensors file</source>
        <translation>权重为空；必须是 textbook、seed 或一个 safetensors 文件的路径</translation>
    </message>
    <message>
        <source>embed_dim is {}, but the layer in {} has {}; leave it out or give {}</source>
        <translation>embed_dim 为 {}，但 {} 中的层为 {}；请省略它，或写 {}</translation>
    </message>
    <message>
        <source>{} doesn&apos;t say num_heads; give one that divides its embed_dim {}: {}</source>
        <translation>{} 没有说明 num_heads；请给出能整除其 embed_dim {} 的值：{}</translation>
    </message>
    <message>
        <source>the text holds no token; give at least one, with a sequence on each line</source>
        <translation>文本中没有词元；请至少输入一个，每行一个序列</translation>
    </message>
    <message>
        <source>the mask that {} names can&apos;t be used: {}</source>
        <translation>{} 指定的掩码无法使用：{}</translation>
    </message>
    <message>
        <source>{}: {}; no mask of {}x{} cells is as large as that</source>
        <translation>{}：{}；{}x{} 个单元格的掩码不会有这么大</translation>
    </message>
    <message>
        <source>a mask can be painted for {} tokens at most, but there are {}; write file:{} as the expression of the mask</source>
        <translation>最多只能为 {} 个词元绘制掩码，而现在有 {} 个；请用 file:{} 作为掩码表达式</translation>
    </message>
    <message>
        <source>there is no token, and so no mask to save</source>
        <translation>没有词元，因此没有可保存的掩码</translation>
    </message>
    <message>
        <source>F.scaled_dot_product_attention needs PyTorch 2</source>
        <translation>F.scaled_dot_product_attention 需要 PyTorch 2</translation>
    </message>
    <message>
        <source>F.scaled_dot_product_attention needs PyTorch 2, its scale 2.1</source>
        <translation>F.scaled_dot_product_attention 需要 PyTorch 2，其 scale 需要 2.1</translation>
    </message>
    <message>
        <source>True = masked, as in nn.MultiheadAttention: the opposite meaning</source>
        <translation>True = 掩码，如 nn.MultiheadAttention：含义相反</translation>
    </message>
    <message>
        <source>a newer change replaced it</source>
        <translation>已被更新的更改取代</translation>
    </message>
    <message>
        <source>a painted mask of {0}x{0} has more than its {1} cells</source>
        <translation>{0}x{0} 的手绘掩码多于应有的 {1} 个单元格</translation>
    </message>
    <message>
        <source>a painted mask of {0}x{0} takes {1} characters of cells, but has {2}</source>
        <translation>{0}x{0} 的手绘掩码需要 {1} 个单元格字符，但有 {2} 个</translation>
    </message>
    <message>
        <source>a painted mask of {} tokens can&apos;t be; it must be from 1 to {}</source>
        <translation>手绘掩码不能为 {} 个词元；必须是 1 到 {}</translation>
    </message>
    <message>
        <source>a window of {} leaves {} % of the cells; the projections are as large as before. Beside the same tiles without a window it is {} times as fast</source>
        <translation>{} 的窗口留下 {} % 的单元格；投影与原来一样大。与没有窗口的相同分块相比，速度为 {} 倍</translation>
    </message>
    <message>
        <source>all {} keys are allowed</source>
        <translation>{} 个键全部允许</translation>
    </message>
    <message>
        <source>the score of an allowed key is NaN or +inf, which makes the row&apos;s sum NaN</source>
        <translation>某个允许的键分数为 NaN 或 +inf，使该行之和为 NaN</translation>
    </message>
    <message>
        <source>blocks of {}</source>
        <translation>每 {} 个一组</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>character {} of a painted mask&apos;s cells can&apos;t be; they are written in A-Z, a-z, 0-9, - and _</source>
        <translation>手绘掩码单元格的第 {} 个字符无效；只能使用 A-Z、a-z、0-9、- 和 _</translation>
    </message>
    <message>
        <source>dilated: {} to the left and {} to the right in steps of {}</source>
        <translation>空洞：向左 {}、向右 {}，步长 {}</translation>
    </message>
    <message>
        <source>dpi is {}; it must be from {} to {}</source>
        <translation>dpi 为 {}；必须是 {} 到 {}</translation>
    </message>
    <message>
        <source>embed_dim is {}, but the layer in &apos;{}&apos; has {}</source>
        <translation>embed_dim 为 {}，但“{}”中的层为 {}</translation>
    </message>
    <message>
        <source>embed_dim is {}, with num_heads {}; it can be {} at most</source>
        <translation>embed_dim 为 {}（num_heads 为 {}）；最大为 {}</translation>
    </message>
    <message>
        <source>embed_dim is {}, with num_heads {}; it must be at least 1</source>
        <translation>embed_dim 为 {}（num_heads 为 {}）；至少为 1</translation>
    </message>
    <message>
        <source>embed_dim {0} is not divisible by num_heads {1}; the nearest legal num_heads is {2}, the nearest legal embed_dim is {3}</source>
        <translation>embed_dim {0} 不能被 num_heads {1} 整除；最接近的合法 num_heads 为 {2}，最接近的合法 embed_dim 为 {3}</translation>
    </message>
    <message>
        <source>every allowed key has the score -inf, and -inf minus -inf is NaN</source>
        <translation>允许的键分数全为 -inf，而 -inf 减 -inf 为 NaN</translation>
    </message>
    <message>
        <source>every allowed key has the score -inf, so the row is zeros, as a fully masked one</source>
        <translation>允许的键分数全为 -inf，因此该行与全掩码行一样为零</translation>
    </message>
    <message>
        <source>fill &apos;{}&apos; is unknown; it is one of safe, inf and 1e9</source>
        <translation>未知的填充值“{}”；应为 safe、inf 或 1e9</translation>
    </message>
    <message>
        <source>layout &apos;{}&apos; is unknown; it is one of interleaved, blocks, transposed and separate</source>
        <translation>未知的布局“{}”；应为 interleaved、blocks、transposed 或 separate</translation>
    </message>
    <message>
        <source>mask &apos;{}&apos; has an empty part; write a pattern between the commas and plus signs: {}</source>
        <translation>掩码“{}”中有空的部分；请在逗号与加号之间写一个模式：{}</translation>
    </message>
    <message>
        <source>mask &apos;{}&apos;: none stands alone; leave it out beside other patterns</source>
        <translation>掩码“{}”：none 只能单独使用；与其他模式并用时请去掉</translation>
    </message>
    <message>
        <source>mask &apos;{}&apos;: {} is {}, but can be {} at most</source>
        <translation>掩码“{}”：{} 为 {}，但最大为 {}</translation>
    </message>
    <message>
        <source>memory falls from {} to {}; the arithmetic is the same either way, and plain attention is fast here too, since its memory is kept and used again</source>
        <translation>内存从 {} 降到 {}；两种做法的运算相同，而这里的普通注意力也很快，因为它的内存被保留并重复使用</translation>
    </message>
    <message>
        <source>fully masked row: every masked score is -inf, and -inf minus -inf is NaN</source>
        <translation>全掩码行：掩码后分数全为 -inf，而 -inf 减 -inf 为 NaN</translation>
    </message>
    <message>
        <source>fully masked row: every masked score is {}, so each of the {} keys gets 1/{}</source>
        <translation>全掩码行：掩码后分数全为 {}，因此 {} 个键各得 1/{}</translation>
    </message>
    <message>
        <source>fully masked row: float16 can&apos;t represent -1e9, which becomes -inf, and -inf minus -inf is NaN</source>
        <translation>全掩码行：float16 无法表示 -1e9，它变成 -inf，而 -inf 减 -inf 为 NaN</translation>
    </message>
    <message>
        <source>fully masked row: fill safe makes every weight 0, so the context is 0 and the output is the bias</source>
        <translation>全掩码行：填充 safe 使每个权重为 0，因此上下文为 0，输出等于偏置</translation>
    </message>
    <message>
        <source>num_heads is {}, with embed_dim {}; it must be at least 1</source>
        <translation>num_heads 为 {}（embed_dim 为 {}）；至少为 1</translation>
    </message>
    <message>
        <source>num_heads {1} is more than embed_dim {0}; the nearest legal num_heads is {2}, the nearest legal embed_dim is {3}</source>
        <translation>num_heads {1} 大于 embed_dim {0}；最接近的合法 num_heads 为 {2}，最接近的合法 embed_dim 为 {3}</translation>
    </message>
    <message>
        <source>num_heads {} is more than embed_dim {}; it can be {} at most</source>
        <translation>num_heads {} 大于 embed_dim {}；最大为 {}</translation>
    </message>
    <message>
        <source>painted by hand</source>
        <translation>手工绘制</translation>
    </message>
    <message>
        <source>plain attention writes every weight, {} in all, and reads it again; tiles stay in the cache</source>
        <translation>普通注意力写出所有权重（共 {}）再读回；分块则始终不离开缓存</translation>
    </message>
    <message>
        <source>precisions are compared in scores and weights, not in {}</source>
        <translation>只能比较分数和权重的精度，不能比较 {}</translation>
    </message>
    <message>
        <source>query {}, key {} and value {} must have one shape (B, H, S, Dh) without a zero</source>
        <translation>查询 {}、键 {} 和值 {} 必须有相同的形状 (B, H, S, Dh)，且不含零</translation>
    </message>
    <message>
        <source>scale is {}; it must be auto or a finite number</source>
        <translation>缩放为 {}；必须是 auto 或有限的数</translation>
    </message>
    <message>
        <source>the case &apos;{}&apos; can&apos;t be measured; write {} ({})</source>
        <translation>无法测量“{}”；请写 {}（{}）</translation>
    </message>
    <message>
        <source>the file can&apos;t be written</source>
        <translation>无法写入文件</translation>
    </message>
    <message>
        <source>the file {}</source>
        <translation>文件 {}</translation>
    </message>
    <message>
        <source>the fill value {} is finite: masked keys have {} leaked weight, since no allowed score is far above it</source>
        <translation>填充值 {} 是有限的：被掩码的键有 {} 泄漏的权重，因为没有允许的分数远高于它</translation>
    </message>
    <message>
        <source>the mask file &apos;{}&apos; was not read</source>
        <translation>未读取掩码文件“{}”</translation>
    </message>
    <message>
        <source>the mask is for {} sequences of {} tokens, but x is {}</source>
        <translation>掩码对应 {} 个各含 {} 个词元的序列，但 x 为 {}</translation>
    </message>
    <message>
        <source>the mask is for {} sequences of {} tokens, the query is {}</source>
        <translation>掩码对应 {} 个各含 {} 个词元的序列，查询为 {}</translation>
    </message>
    <message>
        <source>the mask was painted for {0}x{0} tokens; {1}x{1} of them are shown, the rest is kept</source>
        <translation>掩码是为 {0}x{0} 个词元绘制的；显示其中的 {1}x{1}，其余保留</translation>
    </message>
    <message>
        <source>the measurement was cancelled</source>
        <translation>测量已取消</translation>
    </message>
    <message>
        <source>the memory ran out at {} tokens; fewer would fit</source>
        <translation>到 {} 个词元时内存不足；请减少词元</translation>
    </message>
    <message>
        <source>the memory ran out; fewer tokens or a smaller layer would fit</source>
        <translation>内存不足；请减少词元或使用更小的层</translation>
    </message>
    <message>
        <source>the painted mask has no cells; paint it, or load it from a file</source>
        <translation>手绘掩码没有单元格；请绘制，或从文件载入</translation>
    </message>
    <message>
        <source>the picture of {}x{} pixels can&apos;t be encoded: {}</source>
        <translation>{}x{} 像素的图片无法编码：{}</translation>
    </message>
    <message>
        <source>the processor&apos;s bfloat16 products are faster, but the softmax is computed in float32, and plain attention stores its weights in float32</source>
        <translation>处理器的 bfloat16 乘法更快，但 softmax 以 float32 计算，普通注意力也以 float32 存储权重</translation>
    </message>
    <message>
        <source>the processor&apos;s bfloat16 products take half the time, and half the bytes</source>
        <translation>处理器的 bfloat16 乘法只需一半时间和一半字节</translation>
    </message>
    <message>
        <source>the sequences of a batch must be equally long, filled up with {}</source>
        <translation>批次中的序列必须等长，用 {} 补齐</translation>
    </message>
    <message>
        <source>the size {}x{} is out of bounds; each side must be from {} to {}</source>
        <translation>大小 {}x{} 超出范围；每边必须是 {} 到 {}</translation>
    </message>
    <message>
        <source>the sizes are more than any memory holds</source>
        <translation>这些大小超出任何内存的容量</translation>
    </message>
    <message>
        <source>the tokens ask for x of {}, but the x in &apos;{}&apos; is {}</source>
        <translation>词元要求 x 为 {}，但“{}”中的 x 为 {}</translation>
    </message>
    <message>
        <source>the weights come from a file, but none was read</source>
        <translation>权重应来自文件，但没有读取任何文件</translation>
    </message>
    <message>
        <source>the window of {} tokens covers all {}: there is nothing to skip; use a longer text</source>
        <translation>{} 个词元的窗口覆盖全部 {} 个：没有可跳过的；请用更长的文本</translation>
    </message>
    <message>
        <source>there are {} heads; similarity is computed for {} at most</source>
        <translation>共有 {} 个头；最多只为 {} 个计算相似度</translation>
    </message>
    <message>
        <source>there is no head {}; the heads are 0 to {}</source>
        <translation>没有头 {}；头的编号为 0 到 {}</translation>
    </message>
    <message>
        <source>there is no key {}; they are numbered from 0 to {}</source>
        <translation>没有键 {}；编号为 0 到 {}</translation>
    </message>
    <message>
        <source>there is no memory for a picture of {}x{} pixels</source>
        <translation>没有足够的内存生成 {}x{} 像素的图片</translation>
    </message>
    <message>
        <source>there is no picture yet; type a text first</source>
        <translation>还没有图片；请先输入文本</translation>
    </message>
    <message>
        <source>there is no sequence {}; the batch has {}</source>
        <translation>没有序列 {}；批次中有 {} 个</translation>
    </message>
    <message>
        <source>there is no sequence {}; the sequences are 0 to {}</source>
        <translation>没有序列 {}；序列的编号为 0 到 {}</translation>
    </message>
    <message>
        <source>there is no token; type some words, one sequence per line</source>
        <translation>没有词元；请输入一些词，每行一个序列</translation>
    </message>
    <message>
        <source>there is no {} {}; they are numbered from 0 to {}</source>
        <translation>没有 {} {}；编号为 0 到 {}</translation>
    </message>
    <message>
        <source>these chunks cut {0}x{0} cells into {1} tiles; {2} can be stepped through, so make them larger</source>
        <translation>这样的分块把 {0}x{0} 个单元格切成 {1} 块；最多可逐步查看 {2} 块，请增大分块</translation>
    </message>
    <message>
        <source>this processor has no bfloat16 products: the rounding is simulated, which costs time and saves no memory</source>
        <translation>此处理器没有 bfloat16 乘法：舍入是模拟的，既费时也不省内存</translation>
    </message>
    <message>
        <source>window: {} to the left, {} to the right</source>
        <translation>窗口：向左 {}，向右 {}</translation>
    </message>
    <message>
        <source>x is {}, but the layer takes (B, S, {}) without a zero</source>
        <translation>x 为 {}，但该层需要 (B, S, {})，且不含零</translation>
    </message>
    <message>
        <source>{}</source>
        <translation>{}</translation>
    </message>
    <message>
        <source>{} &apos;{}&apos; is no whole number of at least 1</source>
        <translation>{}“{}”不是不小于 1 的整数</translation>
    </message>
    <message>
        <source>{} can&apos;t be printed on; choose another printer</source>
        <translation>无法在 {} 上打印；请选择其他打印机</translation>
    </message>
    <message>
        <source>{} can&apos;t be written: {}; nothing was changed</source>
        <translation>无法写入 {}：{}；没有更改任何内容</translation>
    </message>
    <message>
        <source>{} has {} tokens, but float64 has {}</source>
        <translation>{} 有 {} 个词元，但 float64 有 {} 个</translation>
    </message>
    <message>
        <source>{} is a folder; give the name of a file</source>
        <translation>{} 是文件夹；请给出文件名</translation>
    </message>
    <message>
        <source>{} is more than any memory holds; make one of these sizes smaller</source>
        <translation>{} 超出任何内存的容量；请减小其中一个</translation>
    </message>
    <message>
        <source>{} is not an ordinary file; give the name of one</source>
        <translation>{} 不是普通文件；请给出普通文件的名称</translation>
    </message>
    <message>
        <source>{} is {}; it must be at least 1, or whole</source>
        <translation>{} 为 {}；至少为 1，或 whole</translation>
    </message>
    <message>
        <source>{} of A are {}, of B {}; only matrices of one size can be subtracted</source>
        <translation>A 的 {} 为 {}，B 的为 {}；只有大小相同的矩阵才能相减</translation>
    </message>
    <message>
        <source>{} of {} keys are allowed; the mask excludes a score that is NaN or +inf</source>
        <translation>{1} 个键中允许 {0} 个；掩码排除了一个 NaN 或 +inf 的分数</translation>
    </message>
    <message>
        <source>{} of {} keys are allowed; the softmax redistributes the {} of the weight that masked keys would have</source>
        <translation>{1} 个键中允许 {0} 个；softmax 把被掩码的键本来会有的 {2} 权重重新分配</translation>
    </message>
    <message>
        <source>{} was not computed</source>
        <translation>未计算 {}</translation>
    </message>
    <message>
        <source>{} would take {}, and {} can be had; fewer tokens or a smaller layer would fit</source>
        <translation>{} 需要 {}，而可用的只有 {}；请减少词元或使用更小的层</translation>
    </message>
    <message>
        <source>{}: a structured array; a plain one was expected</source>
        <translation>{}：结构化数组；应为普通数组</translation>
    </message>
    <message>
        <source>{}: an array of texts; one of numbers was expected</source>
        <translation>{}：文本数组；应为数值数组</translation>
    </message>
    <message>
        <source>{}: an empty file; {}</source>
        <translation>{}：空文件；{}</translation>
    </message>
    <message>
        <source>{}: holds no list of rows, nor &quot;cells&quot; with one; {}</source>
        <translation>{}：既没有行的列表，也没有含行列表的 &quot;cells&quot;；{}</translation>
    </message>
    <message>
        <source>{}: holds no row; {}</source>
        <translation>{}：没有任何行；{}</translation>
    </message>
    <message>
        <source>{}: layout {} doesn&apos;t go with {}; {}</source>
        <translation>{}：布局 {} 与 {} 不相符；{}</translation>
    </message>
    <message>
        <source>{}: lengths has the shape {}; ({}) was expected, a number for each sequence of x</source>
        <translation>{}：lengths 的形状为 {}；应为 ({})，x 的每个序列一个数</translation>
    </message>
    <message>
        <source>{}: lengths is of type {}; I64 was expected</source>
        <translation>{}：lengths 的类型为 {}；应为 I64</translation>
    </message>
    <message>
        <source>{}: line {}, cell {} is {}; {}</source>
        <translation>{}：第 {} 行第 {} 个单元格为 {}；{}</translation>
    </message>
    <message>
        <source>{}: metadata embed_dim is {}, and {} has {}</source>
        <translation>{}：元数据 embed_dim 为 {}，而 {} 为 {}</translation>
    </message>
    <message>
        <source>{}: metadata layout is &quot;{}&quot;; interleaved, blocks, transposed or separate was expected</source>
        <translation>{}：元数据 layout 为“{}”；应为 interleaved、blocks、transposed 或 separate</translation>
    </message>
    <message>
        <source>{}: metadata tokens isn&apos;t a JSON list</source>
        <translation>{}：元数据 tokens 不是 JSON 列表</translation>
    </message>
    <message>
        <source>{}: metadata tokens must be a JSON list of texts for each sequence, and sequence {} isn&apos;t</source>
        <translation>{}：元数据 tokens 的每个序列必须是文本的 JSON 列表，而序列 {} 不是</translation>
    </message>
    <message>
        <source>{}: metadata {} is &quot;{}&quot;; a whole number from 1 on was expected</source>
        <translation>{}：元数据 {} 为“{}”；应为不小于 1 的整数</translation>
    </message>
    <message>
        <source>{}: not a good npz file: it has {} members; {} at most are read</source>
        <translation>{}：不是有效的 npz 文件：有 {} 个成员；最多读取 {} 个</translation>
    </message>
    <message>
        <source>{}: not a good npz file: it holds &quot;{}&quot; twice</source>
        <translation>{}：不是有效的 npz 文件：含有两个“{}”</translation>
    </message>
    <message>
        <source>{}: not a good npz file: its members claim too many bytes</source>
        <translation>{}：不是有效的 npz 文件：各成员声称的字节数过多</translation>
    </message>
    <message>
        <source>{}: not a good npz file: member {} has no name or size</source>
        <translation>{}：不是有效的 npz 文件：成员 {} 没有名称或大小</translation>
    </message>
    <message>
        <source>{}: not a good npz file: the member &quot;{}&quot; can&apos;t be opened: {}</source>
        <translation>{}：不是有效的 npz 文件：成员“{}”无法打开：{}</translation>
    </message>
    <message>
        <source>{}: not a good npz file: the member &quot;{}&quot; claims {} bytes, more than its {} can hold</source>
        <translation>{}：不是有效的 npz 文件：成员“{}”声称有 {} 字节，超过其 {} 字节所能容纳</translation>
    </message>
    <message>
        <source>{}: not a good npz file: the member &quot;{}&quot; ends after {} of {} bytes</source>
        <translation>{0}：不是有效的 npz 文件：成员“{1}”应有 {3} 字节，到 {2} 字节就结束了</translation>
    </message>
    <message>
        <source>{}: not a good npz file: the member &quot;{}&quot; is damaged: {}</source>
        <translation>{}：不是有效的 npz 文件：成员“{}”已损坏：{}</translation>
    </message>
    <message>
        <source>{}: not a good npz file: the member &quot;{}&quot; is longer than the {} bytes it claims</source>
        <translation>{}：不是有效的 npz 文件：成员“{}”长于它声称的 {} 字节</translation>
    </message>
    <message>
        <source>{}: not a good npz file: the member &quot;{}&quot; is not an npy array</source>
        <translation>{}：不是有效的 npz 文件：成员“{}”不是 npy 数组</translation>
    </message>
    <message>
        <source>{}: not a good npz file: the member&apos;s name &quot;{}&quot; leads out of the archive</source>
        <translation>{}：不是有效的 npz 文件：成员名“{}”指向归档之外</translation>
    </message>
    <message>
        <source>{}: not a good npz file: {}</source>
        <translation>{}：不是有效的 npz 文件：{}</translation>
    </message>
    <message>
        <source>{}: not a good safetensors file: its first 8 bytes say that the header is {} bytes long; {} at most can be</source>
        <translation>{}：不是有效的 safetensors 文件：前 8 字节说文件头长 {} 字节；最多 {} 字节</translation>
    </message>
    <message>
        <source>{}: not a good safetensors file: its header must begin with &apos;{{&apos;</source>
        <translation>{}：不是有效的 safetensors 文件：文件头必须以“{{”开头</translation>
    </message>
    <message>
        <source>{}: not a good safetensors file: its tensors end at {} of the data, which is {} bytes long</source>
        <translation>{}：不是有效的 safetensors 文件：张量在数据的 {} 处结束，而数据长 {} 字节</translation>
    </message>
    <message>
        <source>{}: not a good safetensors file: {} begins at {} of the data; {} was expected, without a hole or overlap</source>
        <translation>{}：不是有效的 safetensors 文件：{} 从数据的 {} 处开始；应为 {}，不留空隙也不重叠</translation>
    </message>
    <message>
        <source>{}: not a good safetensors file: {} has the shape {}, which no file can hold</source>
        <translation>{}：不是有效的 safetensors 文件：{} 的形状为 {}，没有文件能容纳</translation>
    </message>
    <message>
        <source>{}: not a good safetensors file: {} must be an object of texts</source>
        <translation>{}：不是有效的 safetensors 文件：{} 必须是由文本构成的对象</translation>
    </message>
    <message>
        <source>{}: not a good safetensors file: {} must be an object with dtype, shape and data_offsets</source>
        <translation>{}：不是有效的 safetensors 文件：{} 必须是含 dtype、shape 和 data_offsets 的对象</translation>
    </message>
    <message>
        <source>{}: not a good safetensors file: {} must hold texts only, and &quot;{}&quot; isn&apos;t one</source>
        <translation>{}：不是有效的 safetensors 文件：{} 只能含文本，而“{}”不是</translation>
    </message>
    <message>
        <source>{}: not a good safetensors file: {} needs a dtype, a text such as F32</source>
        <translation>{}：不是有效的 safetensors 文件：{} 需要 dtype，即 F32 之类的文本</translation>
    </message>
    <message>
        <source>{}: not a good safetensors file: {} needs a shape, a list of whole numbers</source>
        <translation>{}：不是有效的 safetensors 文件：{} 需要 shape，即整数列表</translation>
    </message>
    <message>
        <source>{}: npy version {}.{}; 1.0, 2.0 and 3.0 can be read</source>
        <translation>{}：npy 版本 {}.{}；可读取 1.0、2.0 和 3.0</translation>
    </message>
    <message>
        <source>{}: row {} is no list; {}</source>
        <translation>{}：第 {} 行不是列表；{}</translation>
    </message>
    <message>
        <source>{}: the cell of query {}, key {} is {}; {}</source>
        <translation>{}：查询 {}、键 {} 的单元格为 {}；{}</translation>
    </message>
    <message>
        <source>{}: the file can&apos;t be looked at: {}</source>
        <translation>{}：无法查看文件：{}</translation>
    </message>
    <message>
        <source>{}: the file can&apos;t be opened: {}</source>
        <translation>{}：无法打开文件：{}</translation>
    </message>
    <message>
        <source>{}: the file can&apos;t be read to its end; it was {} bytes long</source>
        <translation>{}：无法把文件读到末尾；它长 {} 字节</translation>
    </message>
    <message>
        <source>{}: the file can&apos;t be read: {}</source>
        <translation>{}：无法读取文件：{}</translation>
    </message>
    <message>
        <source>{}: the file has no size: {}</source>
        <translation>{}：无法得知文件大小：{}</translation>
    </message>
    <message>
        <source>{}: the folder {} can&apos;t be written to</source>
        <translation>{}：无法写入文件夹 {}</translation>
    </message>
    <message>
        <source>{}: the member &quot;{}&quot; is compressed by method {}; stored and deflated ones can be read</source>
        <translation>{}：成员“{}”的压缩方法为 {}；可读取 stored 和 deflated</translation>
    </message>
    <message>
        <source>{}: the member &quot;{}&quot; is encrypted; plain ones can be read</source>
        <translation>{}：成员“{}”已加密；只能读取未加密的</translation>
    </message>
    <message>
        <source>{}: there is no folder {}; create it, or write somewhere else</source>
        <translation>{}：没有文件夹 {}；请创建它，或写到别处</translation>
    </message>
    <message>
        <source>{}: there is no such file</source>
        <translation>{}：没有这个文件</translation>
    </message>
    <message>
        <source>{}: this is a device or a pipe; a regular file was expected</source>
        <translation>{}：这是设备或管道；应为普通文件</translation>
    </message>
    <message>
        <source>{}: this is a folder; a file was expected</source>
        <translation>{}：这是文件夹；应为文件</translation>
    </message>
    <message>
        <source>{}: x has the shape {}; (S, {}) or (B, S, {}) was expected, as the layer has embed_dim {}</source>
        <translation>{}：x 的形状为 {}；应为 (S, {}) 或 (B, S, {})，因为该层的 embed_dim 为 {}</translation>
    </message>
    <message>
        <source>{}: x has the shape {}; one token at least was expected</source>
        <translation>{}：x 的形状为 {}；至少应有一个词元</translation>
    </message>
    <message>
        <source>{}: x is of type {}; F32, F64, F16 or BF16 was expected</source>
        <translation>{}：x 的类型为 {}；应为 F32、F64、F16 或 BF16</translation>
    </message>
    <message>
        <source>{}: {} has the shape {}; a matrix of embed_dim {} was expected</source>
        <translation>{}：{} 的形状为 {}；应为 embed_dim {} 的矩阵</translation>
    </message>
    <message>
        <source>{}: {} is not a folder</source>
        <translation>{}：{} 不是文件夹</translation>
    </message>
    <message>
        <source>{}: {} is of type {}; F32, F64, F16 or BF16 was expected</source>
        <translation>{}：{} 的类型为 {}；应为 F32、F64、F16 或 BF16</translation>
    </message>
    <message>
        <source>{}: {} is of type {}; F64, F32, F16, BF16, I64, I32, U8 and BOOL can be read</source>
        <translation>{}：{} 的类型为 {}；可读取 F64、F32、F16、BF16、I64、I32、U8 和 BOOL</translation>
    </message>
    <message>
        <source>{}x{} at {} dpi is {}x{} pixels; a picture has at most {} on each side</source>
        <translation>{}x{} 在 {} dpi 下为 {}x{} 像素；图片每边最多 {} 像素</translation>
    </message>
    <message>
        <source>B has no head {}; choose one from 0 to {}</source>
        <translation>B 没有头 {}；请选择 0 到 {}</translation>
    </message>
    <message>
        <source>{}: give one number, not a list</source>
        <translation>{}：应为一个数，而不是列表</translation>
    </message>
    <message>
        <source>the mask file &apos;{0}&apos; is {1}x{1}, but the sequences have the length {2}; it must be {2}x{2}</source>
        <translation>掩码文件“{0}”为 {1}x{1}，但序列长度为 {2}；必须为 {2}x{2}</translation>
    </message>
    <message>
        <source>{0}: a mask of {1}x{1} cells, but the sequences have the length {2}; it must be {2}x{2}</source>
        <translation>{0}：掩码有 {1}x{1} 个单元格，但序列长度为 {2}；必须为 {2}x{2}</translation>
    </message>
    <message>
        <source>1 of {} keys is allowed; the mask excludes a score that is NaN or +inf</source>
        <translation>{} 个键中允许 1 个；掩码排除了一个 NaN 或 +inf 的分数</translation>
    </message>
    <message>
        <source>1 of {} keys is allowed; it gets the {} of the weight that masked keys would have</source>
        <translation>{} 个键中允许 1 个；被掩码的键本来会有的 {} 权重归它</translation>
    </message>
    <message>
        <source>True or False</source>
        <translation>True 或 False</translation>
    </message>
    <message>
        <source>a comma or a closing brace</source>
        <translation>逗号或右花括号</translation>
    </message>
    <message>
        <source>a dictionary</source>
        <translation>字典</translation>
    </message>
    <message>
        <source>a key and a colon</source>
        <translation>键和冒号</translation>
    </message>
    <message>
        <source>a shape such as (3, 4)</source>
        <translation>形状，例如 (3, 4)</translation>
    </message>
    <message>
        <source>a type such as &apos;&lt;f4&apos;</source>
        <translation>类型，例如 &apos;&lt;f4&apos;</translation>
    </message>
    <message>
        <source>as chosen</source>
        <translation>按所选</translation>
    </message>
    <message>
        <source>as its metadata says</source>
        <translation>按元数据</translation>
    </message>
    <message>
        <source>at a length of {} the weights are small beside q, k, v and the output ({} whole, {} in tiles); memory is saved as the square of the tokens</source>
        <translation>长度为 {} 时，权重与 q、k、v 和输出相比很小（整体 {}，分块 {}）；节省的内存随词元数的平方增长</translation>
    </message>
    <message>
        <source>by its name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>by its name and shape</source>
        <translation>按名称和形状</translation>
    </message>
    <message>
        <source>chunk size</source>
        <translation>分块大小</translation>
    </message>
    <message>
        <source>columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>columns are [Q K V] blocks, as in GPT-2</source>
        <translation>列为 [Q K V] 分块，与 GPT-2 相同</translation>
    </message>
    <message>
        <source>key chunk size</source>
        <translation>键分块大小</translation>
    </message>
    <message>
        <source>missing biases are zeros</source>
        <translation>缺少的偏置按零处理</translation>
    </message>
    <message>
        <source>fully masked row: the masked score is {}, so the only key gets all the weight although it is masked</source>
        <translation>全掩码行：掩码后分数为 {}，因此唯一的键虽被掩码仍得到全部权重</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>rows are [Q; K; V] blocks, as in nn.MultiheadAttention</source>
        <translation>行为 [Q; K; V] 分块，与 nn.MultiheadAttention 相同</translation>
    </message>
    <message>
        <source>rows are interleaved by head, [q0 k0 v0 q1 k1 v1 ...]</source>
        <translation>行按头交错，[q0 k0 v0 q1 k1 v1 ...]</translation>
    </message>
    <message>
        <source>separate projections of query, key and value</source>
        <translation>查询、键和值各有独立的投影</translation>
    </message>
    <message>
        <source>the batch of tokens</source>
        <translation>这一批词元</translation>
    </message>
    <message>
        <source>the header&apos;s end</source>
        <translation>文件头的结尾</translation>
    </message>
    <message>
        <source>the layer</source>
        <translation>该层</translation>
    </message>
    <message>
        <source>the mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>the only key is allowed</source>
        <translation>唯一的键是允许的</translation>
    </message>
    <message>
        <source>the picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>these weights are separate already</source>
        <translation>这些权重本来就是独立的</translation>
    </message>
    <message>
        <source>this computation</source>
        <translation>本次计算</translation>
    </message>
    <message>
        <source>this layer</source>
        <translation>该层</translation>
    </message>
    <message>
        <source>this weight is fused: interleaved, blocks or transposed</source>
        <translation>该权重是融合的：请用 interleaved、blocks 或 transposed</translation>
    </message>
    <message>
        <source>{} x 1 token</source>
        <translation>{} x 1 个词元</translation>
    </message>
    <message>
        <source>{} x 1 token, sequence {}: {}</source>
        <translation>{} x 1 个词元，序列 {}：{}</translation>
    </message>
    <message>
        <source>{} x {} tokens</source>
        <translation>{} x {} 个词元</translation>
    </message>
    <message>
        <source>{} x {} tokens, sequence {}: {}</source>
        <translation>{} x {} 个词元，序列 {}：{}</translation>
    </message>
    <message>
        <source>{}: a mask is read from a file that ends in .json, .csv or .npy</source>
        <translation>{}：掩码只能从以 .json、.csv 或 .npy 结尾的文件读取</translation>
    </message>
    <message>
        <source>{}: a mask is written to a file that ends in .json, .csv or .npy</source>
        <translation>{}：掩码只能写入以 .json、.csv 或 .npy 结尾的文件</translation>
    </message>
    <message>
        <source>{}: an array of type &apos;{}&apos;; numbers, bool and unicode texts can be read</source>
        <translation>{}：数组类型为“{}”；只能读取数值、布尔和 Unicode 文本</translation>
    </message>
    <message>
        <source>{}: an array of type &apos;{}&apos;; numbers, bool and unicode texts can be read, objects never are</source>
        <translation>{}：数组类型为“{}”；只能读取数值、布尔和 Unicode 文本，从不读取对象</translation>
    </message>
    <message>
        <source>{}: in line {} the number of cells is {}, in line 1 it is {}; {}</source>
        <translation>{}：第 {} 行有 {} 个单元格，第 1 行有 {} 个；{}</translation>
    </message>
    <message>
        <source>{}: in row {} the number of cells is {}, that of the rows is {}; {}</source>
        <translation>{}：第 {} 行有 {} 个单元格，而共有 {} 行；{}</translation>
    </message>
    <message>
        <source>{}: lengths holds {}; 0 to {} was expected, as the sequences of x have the length {}</source>
        <translation>{}：lengths 中有 {}；应为 0 到 {}，因为 x 的序列长度为 {}</translation>
    </message>
    <message>
        <source>{}: metadata tokens is for a batch of {}, and x for one of {}</source>
        <translation>{}：元数据 tokens 的批大小为 {}，而 x 的批大小为 {}</translation>
    </message>
    <message>
        <source>{}: not a good npy array: byte {} of its header: {} expected</source>
        <translation>{}：不是有效的 npy 数组：文件头第 {} 字节处应为：{}</translation>
    </message>
    <message>
        <source>{}: not a good npy array: it doesn&apos;t begin with \x93NUMPY</source>
        <translation>{}：不是有效的 npy 数组：开头不是 \x93NUMPY</translation>
    </message>
    <message>
        <source>{}: not a good npy array: it ends before its header</source>
        <translation>{}：不是有效的 npy 数组：在文件头之前就结束了</translation>
    </message>
    <message>
        <source>{}: not a good npy array: it ends before its version</source>
        <translation>{}：不是有效的 npy 数组：在版本号之前就结束了</translation>
    </message>
    <message>
        <source>{}: not a good npy array: it has {} axes; {} at most are read</source>
        <translation>{}：不是有效的 npy 数组：有 {} 个轴；最多读取 {} 个</translation>
    </message>
    <message>
        <source>{}: not a good npy array: it holds {} texts; {} at most are read</source>
        <translation>{}：不是有效的 npy 数组：含 {} 个文本；最多读取 {} 个</translation>
    </message>
    <message>
        <source>{}: not a good npy array: its header has &apos;{}&apos; where descr, fortran_order and shape, each once, belong</source>
        <translation>{}：不是有效的 npy 数组：文件头中出现“{}”，此处应为 descr、fortran_order 和 shape，且各出现一次</translation>
    </message>
    <message>
        <source>{}: not a good npy array: its header is {} bytes long, and {} follow</source>
        <translation>{}：不是有效的 npy 数组：文件头长 {} 字节，而其后只有 {} 字节</translation>
    </message>
    <message>
        <source>{}: not a good npy array: its header is {} bytes long; {} at most are read</source>
        <translation>{}：不是有效的 npy 数组：文件头长 {} 字节；最多读取 {} 字节</translation>
    </message>
    <message>
        <source>{}: not a good npy array: its header lacks descr, fortran_order or shape</source>
        <translation>{}：不是有效的 npy 数组：文件头缺少 descr、fortran_order 或 shape</translation>
    </message>
    <message>
        <source>{}: not a good npy array: its shape {} in &apos;{}&apos; needs {} bytes, and {} follow the header</source>
        <translation>{}：不是有效的 npy 数组：形状 {}、类型“{}”需要 {} 字节，而文件头之后有 {} 字节</translation>
    </message>
    <message>
        <source>{}: not a good npy array: its shape {} is more than any file holds</source>
        <translation>{}：不是有效的 npy 数组：形状 {} 超出任何文件所能容纳的大小</translation>
    </message>
    <message>
        <source>{}: not a good npy array: text {} holds U+{}, which is no character</source>
        <translation>{}：不是有效的 npy 数组：文本 {} 含 U+{}，它不是字符</translation>
    </message>
    <message>
        <source>{}: not a good safetensors file: its length in bytes is {}, and its header alone takes more than {}</source>
        <translation>{}：不是有效的 safetensors 文件：文件长 {} 字节，而仅文件头就需要多于 {} 字节</translation>
    </message>
    <message>
        <source>{}: not a good safetensors file: the size of {} in bytes is {}; its shape {} in {} needs {}</source>
        <translation>{}：不是有效的 safetensors 文件：{} 有 {} 字节；形状 {}、类型 {} 需要 {} 字节</translation>
    </message>
    <message>
        <source>{}: sequence {} of metadata tokens has the length {}, and x has {}</source>
        <translation>{}：元数据 tokens 的序列 {} 长度为 {}，而 x 的为 {}</translation>
    </message>
    <message>
        <source>{}: {} ({})</source>
        <translation>{}：{}（{}）</translation>
    </message>
    <message>
        <source>{}: {} has the shape {}; {} was expected</source>
        <translation>{}：{} 的形状为 {}；应为 {}</translation>
    </message>
    <message>
        <source>{}: {} has the shape {}; {} was expected in layout {}</source>
        <translation>{}：{} 的形状为 {}；应为 {}（布局 {}）</translation>
    </message>
    <message>
        <source>{}: {}x{} cells; {}</source>
        <translation>{}：{}x{} 个单元格；{}</translation>
    </message>
    <message>
        <source>{}: the system has no memory left to read the file</source>
        <translation>{}：系统没有足够的内存来读取该文件</translation>
    </message>
    <message>
        <source>a CSV file</source>
        <translation>CSV 文件</translation>
    </message>
    <message>
        <source>a GGUF file: convert it to safetensors</source>
        <translation>GGUF 文件：请转换为 safetensors</translation>
    </message>
    <message>
        <source>a Git LFS pointer: run `git lfs pull`</source>
        <translation>Git LFS 指针：请运行 `git lfs pull`</translation>
    </message>
    <message>
        <source>a JSON file</source>
        <translation>JSON 文件</translation>
    </message>
    <message>
        <source>a NumPy array (npy)</source>
        <translation>NumPy 数组 (npy)</translation>
    </message>
    <message>
        <source>a PyTorch pickle (zip): save it with safetensors, or read it with torch.load and save the tensors</source>
        <translation>PyTorch pickle (zip)：请用 safetensors 保存，或用 torch.load 读取后再保存张量</translation>
    </message>
    <message>
        <source>a Python pickle, which is never loaded: save the tensors with safetensors</source>
        <translation>Python pickle，本程序从不加载：请用 safetensors 保存张量</translation>
    </message>
    <message>
        <source>a compressed file (gzip, bzip2, xz or zstd): decompress it first</source>
        <translation>压缩文件（gzip、bzip2、xz 或 zstd）：请先解压</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>a mask is a square of 0 and 1 (1 = allowed), or of 0 and -inf that is added to the scores</source>
        <translation>掩码是由 0 和 1（1 = 允许）组成的方阵，或由 0 和 -inf 组成、加到注意力分数上的方阵</translation>
    </message>
    <message>
        <source>a safetensors file</source>
        <translation>safetensors 文件</translation>
    </message>
    <message>
        <source>a text file</source>
        <translation>文本文件</translation>
    </message>
    <message>
        <source>a zip archive: unpack it first</source>
        <translation>zip 压缩包：请先解压</translation>
    </message>
    <message>
        <source>an HDF5 file: save the tensors with safetensors</source>
        <translation>HDF5 文件：请用 safetensors 保存张量</translation>
    </message>
    <message>
        <source>an HTML page: download the file itself</source>
        <translation>HTML 网页：请下载文件本身</translation>
    </message>
    <message>
        <source>an empty file</source>
        <translation>空文件</translation>
    </message>
    <message>
        <source>an npy file</source>
        <translation>npy 文件</translation>
    </message>
    <message>
        <source>an npz archive: give one of its arrays as an npy file</source>
        <translation>npz 压缩包：请将其中一个数组存为 npy 文件</translation>
    </message>
    <message>
        <source>an npz file</source>
        <translation>npz 文件</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>not read, because they are results: {}</source>
        <translation>未读取（属于计算结果）：{}</translation>
    </message>
    <message>
        <source>{} is a fill value; the one that is set here is used</source>
        <translation>{} 是填充值；使用的是此处设置的填充值</translation>
    </message>
    <message>
        <source>{}: an array of shape {}; {}, shape (S, S) or (1, 1, S, S)</source>
        <translation>{}：数组的形状为 {}；{}，形状应为 (S, S) 或 (1, 1, S, S)</translation>
    </message>
    <message>
        <source>{}: every cell is 0.0, which masks everything where 0 and 1 are meant, and allows everything where the mask is added to the scores; save it as bool or integers, 1 = allowed</source>
        <translation>{}：所有单元格均为 0.0：若表示 0 和 1，则全部被掩码；若加到注意力分数上，则全部允许；请存为布尔值或整数，1 = 允许</translation>
    </message>
    <message>
        <source>{}: holds cells of 1, and the cell of query {}, key {} is -inf or at most -1e4; {}</source>
        <translation>{}：含有值为 1 的单元格，而查询 {}、键 {} 的单元格为 -inf 或不大于 -1e4；{}</translation>
    </message>
    <message>
        <source>{}: invalid JSON at byte {}</source>
        <translation>{}：第 {} 字节处的 JSON 无效</translation>
    </message>
    <message>
        <source>{}: invalid UTF-8 at byte {} ({}); save it as UTF-8</source>
        <translation>{}：第 {} 字节处 ({}) 的 UTF-8 无效；请存为 UTF-8</translation>
    </message>
    <message>
        <source>{}: its JSON holds &quot;{}&quot; twice</source>
        <translation>{}：JSON 中“{}”出现两次</translation>
    </message>
    <message>
        <source>{}: its JSON holds a number that is out of range</source>
        <translation>{}：JSON 中有超出范围的数</translation>
    </message>
    <message>
        <source>{}: its JSON is nested more than {} deep</source>
        <translation>{}：JSON 的嵌套超过 {} 层</translation>
    </message>
    <message>
        <source>{}: not a good npz file: the member &quot;{}&quot; holds numbers; a text was expected, a JSON object of named texts</source>
        <translation>{}：不是有效的 npz 文件：成员“{}”存的是数值；应为文本，即由命名文本组成的 JSON 对象</translation>
    </message>
    <message>
        <source>{}: not a good npz file: the text &quot;{}&quot; stands in a member of its own and in &quot;{}&quot;</source>
        <translation>{}：不是有效的 npz 文件：文本“{}”既是单独的成员，又在“{}”中</translation>
    </message>
    <message>
        <source>{}: not a good safetensors file: {} needs data_offsets, two whole numbers, begin ≤ end</source>
        <translation>{}：不是有效的 safetensors 文件：{} 需要 data_offsets，即两个整数，begin ≤ end</translation>
    </message>
    <message>
        <source>{}: the attention has {}, which HeadScope does not compute with; a layer of the projections alone was expected</source>
        <translation>{}：该注意力层含有 {}，HeadScope 不计算它们；应为只含投影的层</translation>
    </message>
    <message>
        <source>{}: {} is not a causal mask; HeadScope does not compute with it</source>
        <translation>{}：{} 不是因果掩码；HeadScope 不计算它</translation>
    </message>
    <message>
        <source>{}: {} is not a fill value of at most -1e4; HeadScope does not compute with it</source>
        <translation>{}：{} 不是不大于 -1e4 的填充值；HeadScope 不计算它</translation>
    </message>
    <message>
        <source>{}: {} was expected, and this is {}</source>
        <translation>{}：应为{}，而这是{}</translation>
    </message>
    <message>
        <source>&amp;Blocks of 4</source>
        <translation>每 4 个一组(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Causal</source>
        <translation>因果(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Dilated window</source>
        <translation>空洞窗口(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Local</source>
        <translation>局部(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Local window: 2 left, 2 right</source>
        <translation>局部窗口：左 2 右 2(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Padding</source>
        <translation>填充(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Strided, as in Sparse Transformer</source>
        <translation>跨步，如 Sparse Transformer(&amp;S)</translation>
    </message>
    <message>
        <source>A query attends to a window of tokens to its left and right, both inclusive, and always to itself.</source>
        <translation>查询注意其左右窗口内的词元（含两端），并始终注意自己。</translation>
    </message>
    <message>
        <source>A query attends to itself and to the keys before it, never to a later one.</source>
        <translation>查询注意自己和之前的键，从不注意之后的键。</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Dilated</source>
        <translation>空洞</translation>
    </message>
    <message>
        <source>Global</source>
        <translation>全局</translation>
    </message>
    <message>
        <source>How many keys after the query</source>
        <translation>查询之后的键数</translation>
    </message>
    <message>
        <source>How many keys before the query</source>
        <translation>查询之前的键数</translation>
    </message>
    <message>
        <source>How many tokens a block has</source>
        <translation>每组的词元数</translation>
    </message>
    <message>
        <source>How many tokens after the query it attends to</source>
        <translation>查询注意其后多少个词元</translation>
    </message>
    <message>
        <source>How many tokens are global</source>
        <translation>全局词元的个数</translation>
    </message>
    <message>
        <source>How many tokens before the query it attends to</source>
        <translation>查询注意其前多少个词元</translation>
    </message>
    <message>
        <source>Long&amp;former: a window and global tokens</source>
        <translation>Longformer：窗口与全局词元(&amp;F)</translation>
    </message>
    <message>
        <source>No query attends to a [PAD] key. A query at a [PAD] position is still computed.</source>
        <translation>任何查询都不注意 [PAD] 键。[PAD] 位置的查询仍会计算。</translation>
    </message>
    <message>
        <source>Padding &amp;and causal</source>
        <translation>填充与因果(&amp;A)</translation>
    </message>
    <message>
        <source>Painted</source>
        <translation>手绘</translation>
    </message>
    <message>
        <source>Reads from a file which cells are allowed: S×S of 0 and 1, as JSON, CSV or npy; 1 = allowed.</source>
        <translation>从文件读取允许哪些单元格：由 0 和 1 组成的 S×S，格式为 JSON、CSV 或 npy；1 = 允许。</translation>
    </message>
    <message>
        <source>Sliding window with a s&amp;ink</source>
        <translation>带汇聚词元的滑动窗口(&amp;I)</translation>
    </message>
    <message>
        <source>Strided</source>
        <translation>跨步</translation>
    </message>
    <message>
        <source>The cells that were painted by hand. Switched off they are kept for later.</source>
        <translation>手绘的单元格。关闭后仍会保留。</translation>
    </message>
    <message>
        <source>Tokens from one key to the next</source>
        <translation>从一个键到下一个键的词元数</translation>
    </message>
    <message>
        <source>block: blocks of N tokens, each of which attends to itself alone.</source>
        <translation>分组：每 N 个词元一组，只注意本组。</translation>
    </message>
    <message>
        <source>causal: keys after the query are masked</source>
        <translation>因果：查询之后的键被掩码</translation>
    </message>
    <message>
        <source>dilated: a window of LEFT keys before the query and RIGHT after it, STEP tokens apart.</source>
        <translation>空洞：窗口含查询之前 LEFT 个键和之后 RIGHT 个键，彼此相隔 STEP 个词元。</translation>
    </message>
    <message>
        <source>global: the first N tokens attend to every key, and every query attends to them.</source>
        <translation>全局：前 N 个词元注意所有键，所有查询也注意它们。</translation>
    </message>
    <message>
        <source>global: the first {} attend to all, and all attend to them</source>
        <translation>全局：前 {} 个注意所有词元，也被所有词元注意</translation>
    </message>
    <message>
        <source>left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>mask &apos;{}&apos; has no cells; write painted:S:CELLS as the mask editor does</source>
        <translation>掩码“{}”没有单元格；请像掩码编辑器那样写 painted:S:CELLS</translation>
    </message>
    <message>
        <source>mask &apos;{}&apos; has numbers that it can&apos;t have; write {}, as in {}</source>
        <translation>掩码“{}”含有不合法的数；请写 {}，例如 {}</translation>
    </message>
    <message>
        <source>mask &apos;{}&apos; has too many numbers; write {}, as in {}</source>
        <translation>掩码“{}”的数太多；请写 {}，例如 {}</translation>
    </message>
    <message>
        <source>mask &apos;{}&apos; is unknown; write none, or patterns such as {}</source>
        <translation>未知的掩码“{}”；请写 none，或模式，例如 {}</translation>
    </message>
    <message>
        <source>mask &apos;{}&apos; lacks a number; write {}, as in {}</source>
        <translation>掩码“{}”缺少一个数；请写 {}，例如 {}</translation>
    </message>
    <message>
        <source>mask &apos;{}&apos; names no file; write {}, as in {}</source>
        <translation>掩码“{}”没有指定文件；请写 {}，例如 {}</translation>
    </message>
    <message>
        <source>mask &apos;{}&apos;: &apos;{}&apos; is not a whole number; write {}, as in {}</source>
        <translation>掩码“{}”：“{}”不是整数；请写 {}，例如 {}</translation>
    </message>
    <message>
        <source>mask &apos;{}&apos;: {} is {}, but must be {} or more; write {}, as in {}</source>
        <translation>掩码“{}”：{} 为 {}，但至少为 {}；请写 {}，例如 {}</translation>
    </message>
    <message>
        <source>mask &apos;{}&apos;: {} takes no number; write {}</source>
        <translation>掩码“{}”：{} 不带数；请写 {}</translation>
    </message>
    <message>
        <source>padding: [PAD] keys are masked</source>
        <translation>填充：[PAD] 键被掩码</translation>
    </message>
    <message>
        <source>right</source>
        <translation>右</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步长</translation>
    </message>
    <message>
        <source>stride</source>
        <translation>步长</translation>
    </message>
    <message>
        <source>strided: keys less than {0} away and at multiples of {0}</source>
        <translation>跨步：距离小于 {0} 的键，以及距离为 {0} 的倍数的键</translation>
    </message>
    <message>
        <source>strided: the keys less than N tokens away on either side, and those at multiples of N.</source>
        <translation>跨步：两侧距离小于 N 的键，以及距离为 N 的倍数的键。</translation>
    </message>
    <message>
        <source>the causal layer</source>
        <translation>因果层</translation>
    </message>
    <message>
        <source>the mask is empty; write none, or patterns such as {}</source>
        <translation>掩码为空；请写 none，或模式，例如 {}</translation>
    </message>
    <message>
        <source>the mask was painted for {0}x{0} tokens; of the {1}x{1} now, the cells beyond are allowed</source>
        <translation>掩码是为 {0}x{0} 个词元绘制的；现在为 {1}x{1}，超出部分的单元格为允许</translation>
    </message>
    <message>
        <source>the padding layer</source>
        <translation>填充层</translation>
    </message>
    <message>
        <source>the painted layer</source>
        <translation>手绘层</translation>
    </message>
    <message>
        <source>the window {}</source>
        <translation>窗口 {}</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元数</translation>
    </message>
    <message>
        <source>tokens per block</source>
        <translation>每组词元</translation>
    </message>
    <message>
        <source>How many tokens the prefix has</source>
        <translation>前缀的词元数</translation>
    </message>
    <message>
        <source>Prefi&amp;x of 3 and causal (prefix-LM)</source>
        <translation>3 个词元的前缀与因果（前缀语言模型）(&amp;X)</translation>
    </message>
    <message>
        <source>Prefix</source>
        <translation>前缀</translation>
    </message>
    <message>
        <source>prefix: every query attends to the first N keys; causal+prefix:N is a prefix-LM.</source>
        <translation>前缀：所有查询都注意前 N 个键；causal+prefix:N 即前缀语言模型。</translation>
    </message>
    <message>
        <source>prefix: every query attends to the first {} keys</source>
        <translation>前缀：所有查询都注意前 {} 个键</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>How many tokens this document has</source>
        <translation>该文档的词元数</translation>
    </message>
    <message>
        <source>Packed d&amp;ocuments of 4 and 3 tokens</source>
        <translation>拼接的文档：4 个与 3 个词元(&amp;O)</translation>
    </message>
    <message>
        <source>Packed documents &amp;under a causal mask</source>
        <translation>拼接的文档与因果掩码(&amp;U)</translation>
    </message>
    <message>
        <source>documents of {} tokens, and the rest</source>
        <translation>长度为 {} 的文档，以及其余部分</translation>
    </message>
    <message>
        <source>documents: packed documents of these lengths, each of which attends to itself alone; what follows the last is one more.</source>
        <translation>文档：依次拼接的文档，长度如列，每个文档只注意自己；最后一个之后的词元也成一个文档。</translation>
    </message>
    <message>
        <source>tokens per document</source>
        <translation>每个文档的词元数</translation>
    </message>
    <message>
        <source>Another seed gives other keys</source>
        <translation>种子不同则键不同</translation>
    </message>
    <message>
        <source>How many keys a query attends to</source>
        <translation>每个查询注意多少个键</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>Random keys, a window and global tokens (Bi&amp;gBird)</source>
        <translation>随机键、窗口与全局词元（BigBird）(&amp;G)</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>键数</translation>
    </message>
    <message>
        <source>random: N random keys for each query, the same for every sequence and head.</source>
        <translation>随机：每个查询注意 N 个随机的键，所有序列和头都相同。</translation>
    </message>
    <message>
        <source>random: {} keys for each query, seed {}</source>
        <translation>随机：每个查询 {} 个键，种子 {}</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Logarith&amp;mic and causal (LogSparse)</source>
        <translation>对数与因果（LogSparse）(&amp;M)</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>logarithmic: keys 0, 1, 2, 4, 8 … tokens away</source>
        <translation>对数：距离为 0、1、2、4、8……个词元的键</translation>
    </message>
    <message>
        <source>logarithmic: the keys 0, 1, 2, 4, 8 … tokens away; with causal this is LogSparse.</source>
        <translation>对数：距离为 0、1、2、4、8……个词元的键；与因果并用即 LogSparse。</translation>
    </message>
    <message>
        <source>0 or -inf is added to the score: 0 = allowed, -inf = masked</source>
        <translation>给分数加上 0 或 -inf：0 = 允许，-inf = 被掩码</translation>
    </message>
    <message>
        <source>True or 1 = allowed, as in F.scaled_dot_product_attention</source>
        <translation>True 或 1 = 允许，与 F.scaled_dot_product_attention 相同</translation>
    </message>
    <message>
        <source>a fully masked row is NaN after the softmax; the safe fill needs one more step</source>
        <translation>全掩码行在 softmax 之后为 NaN；safe 填充值还需要一步</translation>
    </message>
    <message>
        <source>adding -1e9 is not filling with -1e9: the sum is score - 1e9, so that a fully masked row is uniform only up to rounding</source>
        <translation>加上 -1e9 不同于填入 -1e9：和为分数减 1e9，因此全掩码行只在舍入范围内均匀</translation>
    </message>
    <message>
        <source>before PyTorch 2.5 a fully masked row is NaN there</source>
        <translation>PyTorch 2.5 之前，那里的全掩码行为 NaN</translation>
    </message>
    <message>
        <source>nn.MultiheadAttention fills with -inf where a boolean mask is True; it can&apos;t fill with -1e9</source>
        <translation>nn.MultiheadAttention 在布尔掩码为 True 处填入 -inf；它不能填入 -1e9</translation>
    </message>
    <message>
        <source>nn.MultiheadAttention gives NaN for a fully masked row; it has no safe fill</source>
        <translation>nn.MultiheadAttention 对全掩码行给出 NaN；它没有 safe 填充值</translation>
    </message>
    <message>
        <source>scaled_dot_product_attention fills with -inf where a boolean mask is False; it can&apos;t fill with -1e9</source>
        <translation>scaled_dot_product_attention 在布尔掩码为 False 处填入 -inf；它不能填入 -1e9</translation>
    </message>
    <message>
        <source>scaled_dot_product_attention gives zeros for a fully masked row since PyTorch 2.5, not the NaN of raw -inf</source>
        <translation>自 PyTorch 2.5 起，scaled_dot_product_attention 对全掩码行给出零，而不是原始 -inf 的 NaN</translation>
    </message>
    <message>
        <source>scale is {}, which {} can&apos;t hold; its size must be 0 or from {} to {} there</source>
        <translation>缩放因子为 {}，{} 无法表示；其绝对值须为 0 或在 {} 到 {} 之间</translation>
    </message>
    <message>
        <source>inverted and transposed</source>
        <translation>既反转又转置</translation>
    </message>
    <message>
        <source>shifted back by one token along the diagonal</source>
        <translation>沿对角线向左上偏移一个词元</translation>
    </message>
    <message>
        <source>shifted by one key to the left</source>
        <translation>向左偏移一个键</translation>
    </message>
    <message>
        <source>shifted by one key to the right</source>
        <translation>向右偏移一个键</translation>
    </message>
    <message>
        <source>shifted down by one query</source>
        <translation>向下偏移一个查询</translation>
    </message>
    <message>
        <source>shifted up by one query</source>
        <translation>向上偏移一个查询</translation>
    </message>
    <message>
        <source>transposed: queries and keys are exchanged</source>
        <translation>转置：查询与键互换</translation>
    </message>
    <message>
        <source>{}: &apos;{}&apos; has no closing brace; a placeholder is {{weight}} or {{token:key=0}}</source>
        <translation>{}：&apos;{}&apos; 没有右花括号；占位符形如 {{weight}} 或 {{token:key=0}}</translation>
    </message>
    <message>
        <source>{}: &apos;{}&apos; must be one of {}</source>
        <translation>{}：&apos;{}&apos; 必须是 {} 之一</translation>
    </message>
    <message>
        <source>{}: it must be a list of 1 to {} steps</source>
        <translation>{}：必须是含 1 到 {} 个步骤的列表</translation>
    </message>
    <message>
        <source>{}: it must be a list of 2 to {} texts</source>
        <translation>{}：必须是含 2 到 {} 个文本的列表</translation>
    </message>
    <message>
        <source>{}: it must be a list of {}</source>
        <translation>{}：必须是由 {} 组成的列表</translation>
    </message>
    <message>
        <source>{}: it must be a text of at most {} characters</source>
        <translation>{}：必须是最多 {} 个字符的文本</translation>
    </message>
    <message>
        <source>{}: it must be a whole number from {} to {}</source>
        <translation>{}：必须是 {} 到 {} 的整数</translation>
    </message>
    <message>
        <source>{}: it must be an object with the keys {}</source>
        <translation>{}：必须是带有键名 {} 的对象</translation>
    </message>
    <message>
        <source>{}: the cell is of head {}, but head {} is enlarged; give the same head</source>
        <translation>{}：单元格属于头 {}，但放大的是头 {}；请给出同一个头</translation>
    </message>
    <message>
        <source>{}: the key &quot;{}&quot; is missing</source>
        <translation>{}：缺少键名 &quot;{}&quot;</translation>
    </message>
    <message>
        <source>{}: the key &quot;{}&quot; is unknown; the keys are {}</source>
        <translation>{}：键名 &quot;{}&quot; 未知；可用的键名是 {}</translation>
    </message>
    <message>
        <source>{}: there is no head {}; this step has {} heads, 0 to {}</source>
        <translation>{}：没有头 {}；这一步有 {} 个头，从 0 到 {}</translation>
    </message>
    <message>
        <source>{}: there is no placeholder &apos;{}&apos;; there are: {}</source>
        <translation>{}：没有占位符 &apos;{}&apos;；可用的是：{}</translation>
    </message>
    <message>
        <source>{}: version {} of lessons can&apos;t be read; this program reads version 1</source>
        <translation>{}：无法读取版本 {} 的课程；本程序读取版本 1</translation>
    </message>
    <message>
        <source>{}: {}</source>
        <translation>{}：{}</translation>
    </message>
    <message>
        <source>{}: {} is &apos;{}&apos;; it must be a whole number</source>
        <translation>{}：{} 是 &apos;{}&apos;；必须是整数</translation>
    </message>
    <message>
        <source>{}: it must be a text, or an object with one in each of {}</source>
        <translation>{}：必须是文本，或带有 {} 各一个文本的对象</translation>
    </message>
    <message>
        <source>&amp;Context by head</source>
        <translation>各头的上下文(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;K</source>
        <translation>&amp;K</translation>
    </message>
    <message>
        <source>&amp;Mask</source>
        <translation>掩码(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Output</source>
        <translation>输出(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Q</source>
        <translation>&amp;Q</translation>
    </message>
    <message>
        <source>&amp;Scores</source>
        <translation>分数(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;V</source>
        <translation>&amp;V</translation>
    </message>
    <message>
        <source>&amp;Weights</source>
        <translation>注意力权重(&amp;W)</translation>
    </message>
    <message>
        <source>A last projection mixes the contexts of the heads.</source>
        <translation>最后一次投影混合各头的上下文。</translation>
    </message>
    <message>
        <source>Concatenated context</source>
        <translation>拼接后的上下文</translation>
    </message>
    <message>
        <source>How well each query fits each key: their dot product, scaled so that it doesn&apos;t grow with head_dim.</source>
        <translation>每个查询与每个键的匹配程度：它们的点积，经缩放而不随 head_dim 增大。</translation>
    </message>
    <message>
        <source>Keys: what each token offers for matching.</source>
        <translation>键：每个词元提供什么供匹配。</translation>
    </message>
    <message>
        <source>M&amp;asked scores</source>
        <translation>掩码后分数(&amp;A)</translation>
    </message>
    <message>
        <source>One linear projection makes query, key and value of each token at once: three times as wide.</source>
        <translation>一次线性投影同时得到每个词元的查询、键和值：宽度为三倍。</translation>
    </message>
    <message>
        <source>PyTorch 1.13 has no {} attention on the CPU; its rounding is simulated here</source>
        <translation>PyTorch 1.13 在 CPU 上没有 {} 注意力；这里只模拟其舍入</translation>
    </message>
    <message>
        <source>Queries: what each token looks for. The head dimension moves in front of the tokens, so that each head is a matrix of its own.</source>
        <translation>查询：每个词元在寻找什么。头维度移到词元之前，使每个头各成一个矩阵。</translation>
    </message>
    <message>
        <source>Simulated rounding only, where PyTorch&apos;s autocast rounds: 11 bits of precision.</source>
        <translation>只在 PyTorch autocast 舍入之处模拟舍入：11 位精度。</translation>
    </message>
    <message>
        <source>Simulated rounding only, where PyTorch&apos;s autocast rounds: 8 bits of precision. How fast bfloat16 is on this machine is measured under View → Speed and memory.</source>
        <translation>只在 PyTorch autocast 舍入之处模拟舍入：8 位精度。bfloat16 在本机有多快，见“视图 → 速度与内存”的测量。</translation>
    </message>
    <message>
        <source>Softmax turns each query&apos;s scores into weights that sum to 1.</source>
        <translation>softmax 把每个查询的分数变成总和为 1 的权重。</translation>
    </message>
    <message>
        <source>The heads side by side again: head_dim numbers from each make embed_dim.</source>
        <translation>各头重新并排：每个头的 head_dim 个数合成 embed_dim 个。</translation>
    </message>
    <message>
        <source>The input: each token of each sequence as a vector of embed_dim numbers.</source>
        <translation>输入：每个序列的每个词元是一个 embed_dim 维的向量。</translation>
    </message>
    <message>
        <source>The scores after the mask; masked cells are hatched</source>
        <translation>掩码后分数；被掩码的单元格画斜线</translation>
    </message>
    <message>
        <source>The scores with the fill value in each masked cell; with −∞ its weight becomes 0.</source>
        <translation>注意力分数，被掩码的单元格换成填充值；填充 −∞ 时其权重为 0。</translation>
    </message>
    <message>
        <source>Values: what each token contributes when it is attended to. They are multiplied by the weights.</source>
        <translation>值：词元被注意时贡献的内容。它们与权重相乘。</translation>
    </message>
    <message>
        <source>What each token asks for: a row of q per token and head</source>
        <translation>每个词元在寻找什么：每个词元、每个头一行 q</translation>
    </message>
    <message>
        <source>What each token contributes when attended to</source>
        <translation>每个词元被注意时的贡献</translation>
    </message>
    <message>
        <source>What each token offers for matching: a row of k per token and head</source>
        <translation>每个词元供匹配之用：每个词元和头对应 k 的一行</translation>
    </message>
    <message>
        <source>Which keys each query can attend to.</source>
        <translation>每个查询可以注意哪些键。</translation>
    </message>
    <message>
        <source>nn.MultiheadAttention scales the queries before the product, so {} rounds at other places: the numbers agree up to its rounding</source>
        <translation>nn.MultiheadAttention 在乘积之前缩放查询，因此 {} 在别处舍入：数值在其舍入范围内一致</translation>
    </message>
    <message>
        <source>precision &apos;{}&apos; is unknown; it is one of {}</source>
        <translation>未知的精度“{}”；应为以下之一：{}</translation>
    </message>
    <message>
        <source>q · k, scaled, before the mask</source>
        <translation>q · k，经缩放，掩码之前</translation>
    </message>
    <message>
        <source>q, k and v by &amp;head</source>
        <translation>按头的 q、k、v(&amp;H)</translation>
    </message>
    <message>
        <source>qkv, the fused projection</source>
        <translation>qkv，融合投影</translation>
    </message>
    <message>
        <source>softmax of the masked scores</source>
        <translation>掩码后分数的 softmax</translation>
    </message>
    <message>
        <source>weights @ v: the result of each head</source>
        <translation>weights @ v：每个头的结果</translation>
    </message>
    <message>
        <source>x, the token vectors</source>
        <translation>x，词元向量</translation>
    </message>
    <message>
        <source>(top level)</source>
        <translation>（顶层）</translation>
    </message>
    <message>
        <source>Llama, as published by Meta</source>
        <translation>Llama（Meta 发布的形式）</translation>
    </message>
    <message>
        <source>a relative position bias</source>
        <translation>相对位置偏置</translation>
    </message>
    <message>
        <source>a window of 256 tokens in every second layer</source>
        <translation>每隔一层的 256 个词元的窗口</translation>
    </message>
    <message>
        <source>as its config says</source>
        <translation>依其配置</translation>
    </message>
    <message>
        <source>clipped q, k and v</source>
        <translation>截断的 q、k 和 v</translation>
    </message>
    <message>
        <source>each key/value head serves {} query heads (grouped-query attention): its rows are repeated for each of them, which computes the same</source>
        <translation>每个键/值头供 {} 个查询头使用（分组查询注意力）：其行为每个查询头重复一次，计算结果相同</translation>
    </message>
    <message>
        <source>layer is &apos;{}&apos;; the layers of {} are numbered from 0 ({}) to {} ({}), and their names can be given too</source>
        <translation>层为“{}”；{} 的层编号从 0（{}）到 {}（{}），也可以给出层的名称</translation>
    </message>
    <message>
        <source>models with these names have</source>
        <translation>使用这些名称的模型具有</translation>
    </message>
    <message>
        <source>num_heads is {}, but {} query heads share each key/value head in &apos;{}&apos;; it must be a multiple of {}</source>
        <translation>num_heads 为 {}，但每 {} 个查询头共用“{}”中的一个键/值头；它必须是 {} 的倍数</translation>
    </message>
    <message>
        <source>query, key and value</source>
        <translation>查询、键和值</translation>
    </message>
    <message>
        <source>rotary position embedding</source>
        <translation>旋转位置编码</translation>
    </message>
    <message>
        <source>rotary position embedding or ALiBi</source>
        <translation>旋转位置编码或 ALiBi</translation>
    </message>
    <message>
        <source>rows are grouped by key/value head, [q0 q1 ... k0 v0 ...]</source>
        <translation>行按键/值头分组，[q0 q1 ... k0 v0 ...]</translation>
    </message>
    <message>
        <source>the article</source>
        <translation>文章</translation>
    </message>
    <message>
        <source>the config asks for</source>
        <translation>配置要求</translation>
    </message>
    <message>
        <source>the config asks for a sliding window of {} tokens, which is not set; the mask causal,local:{}:0 sets it</source>
        <translation>配置要求 {} 个词元的滑动窗口，目前未设置；掩码 causal,local:{}:0 可设置它</translation>
    </message>
    <message>
        <source>the file has no x: the vectors of typed tokens are drawn from the seed</source>
        <translation>文件中没有 x：键入词元的向量由种子随机生成</translation>
    </message>
    <message>
        <source>the index of a sharded model: open it as a weights file</source>
        <translation>分片模型的索引：请作为权重文件打开</translation>
    </message>
    <message>
        <source>{} names a causal model: the mask is causal where no mask is given</source>
        <translation>{} 表明这是因果模型：未给出掩码时使用因果掩码</translation>
    </message>
    <message>
        <source>{} {}, which is not computed: scores and weights are those without it</source>
        <translation>{}{}，未被计算：分数和权重不包含它</translation>
    </message>
    <message>
        <source>{}: a JSON object of the model&apos;s settings was expected</source>
        <translation>{}：应为包含模型设置的 JSON 对象</translation>
    </message>
    <message>
        <source>{}: holds more than one attention layer, from {} to {}; a file with one of them was expected</source>
        <translation>{}：包含多个注意力层，从 {} 到 {}；应为只含其中一个的文件</translation>
    </message>
    <message>
        <source>{}: holds no attention layer of plain weights; it has {}, which HeadScope does not compute with: merge LoRA, or save quantised weights in a floating-point type</source>
        <translation>{}：不包含普通权重的注意力层；其中有 {}，HeadScope 不用它计算：请合并 LoRA，或将量化权重保存为浮点类型</translation>
    </message>
    <message>
        <source>{}: holds no attention layer; qkv_proj.weight, in_proj_weight, c_attn.weight, query_key_value.weight, query/key/value, q_proj/k_proj/v_proj or the names of another known family were expected, and it holds {}</source>
        <translation>{}：不包含注意力层；应有 qkv_proj.weight、in_proj_weight、c_attn.weight、query_key_value.weight、query/key/value、q_proj/k_proj/v_proj 或其他已知系列的名称，而文件中有 {}</translation>
    </message>
    <message>
        <source>{}: the folder can&apos;t be read: {}</source>
        <translation>{}：无法读取该文件夹：{}</translation>
    </message>
    <message>
        <source>{}: the folder holds no model.safetensors; {} is a Python pickle, which is never loaded: save the model with safetensors</source>
        <translation>{}：文件夹中没有 model.safetensors；{} 是 Python pickle，从不加载：请用 safetensors 保存模型</translation>
    </message>
    <message>
        <source>{}: the folder holds no model; model.safetensors or model.safetensors.index.json was expected</source>
        <translation>{}：文件夹中没有模型；应有 model.safetensors 或 model.safetensors.index.json</translation>
    </message>
    <message>
        <source>{}: the folder holds {} safetensors files and no index; model.safetensors.index.json was expected, or open one of the files</source>
        <translation>{}：文件夹中有 {} 个 safetensors 文件但没有索引；应有 model.safetensors.index.json，或打开其中一个文件</translation>
    </message>
    <message>
        <source>{}: this shard is missing; {} places {} tensors in it</source>
        <translation>{}：缺少此分片；{} 将 {} 个张量放在其中</translation>
    </message>
    <message>
        <source>{}: weight_map names no tensor</source>
        <translation>{}：weight_map 没有列出张量</translation>
    </message>
    <message>
        <source>{}: weight_map places {} in {}, which does not hold it</source>
        <translation>{}：weight_map 将 {} 放在 {} 中，但其中没有它</translation>
    </message>
    <message>
        <source>{}: weight_map places {} in {}; a file of the same folder was expected</source>
        <translation>{}：weight_map 将 {} 放在 {} 中；应为同一文件夹中的文件</translation>
    </message>
    <message>
        <source>{}: weight_map, an object of tensors and their files, was expected</source>
        <translation>{}：应有 weight_map，即张量及其文件的对象</translation>
    </message>
    <message>
        <source>{}: {} is cross-attention: its keys come from another sequence, which HeadScope does not compute with; self-attention was expected</source>
        <translation>{}：{} 是交叉注意力：其键来自另一个序列，HeadScope 不计算这种情况；应为自注意力</translation>
    </message>
    <message>
        <source>{}: {} is {}; a whole number from 1 on was expected</source>
        <translation>{}：{} 为 {}；应为不小于 1 的整数</translation>
    </message>
    <message>
        <source>{}: {} says embed_dim {}, and {} has {}</source>
        <translation>{}：{} 说 embed_dim 为 {}，而 {} 有 {}</translation>
    </message>
    <message>
        <source>{}: {} says head_dim {}, and {} heads of {} have {}</source>
        <translation>{}：{} 说 head_dim 为 {}，而 {} 个头的 {} 为 {}</translation>
    </message>
    <message>
        <source>{}: {} says num_heads {}, and the metadata {}</source>
        <translation>{}：{} 说 num_heads 为 {}，而元数据为 {}</translation>
    </message>
    <message>
        <source>{}: {} says num_heads {}, which does not divide the {} columns of {}</source>
        <translation>{}：{} 说 num_heads 为 {}，它不能整除 {} 列的 {}</translation>
    </message>
    <message>
        <source>{}: {} says {} key/value heads of {} numbers, which are {} rows, and the file has {}</source>
        <translation>{}：{} 说有 {} 个键/值头，每个 {} 个数，共 {} 行，而文件有 {} 行</translation>
    </message>
    <message>
        <source>the difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>there is no sequence {}, head {} of {}</source>
        <translation>{2} 没有序列 {0} 的头 {1}</translation>
    </message>
    <message>
        <source>there is no sequence {}; they are numbered from 0 to {}</source>
        <translation>没有序列 {}；序列编号从 0 到 {}</translation>
    </message>
    <message>
        <source>there is no such region of {} in sequence {}, head {}</source>
        <translation>序列 {1} 头 {2} 的 {0} 中没有这样的区域</translation>
    </message>
    <message>
        <source>From file</source>
        <translation>来自文件</translation>
    </message>
    <message>
        <source>the system refused to start a thread for this computation; close other programs, then change a setting to try again</source>
        <translation>系统拒绝为此次计算启动线程；请关闭其他程序，然后更改任意一项设置以重试</translation>
    </message>
    <message>
        <source>ALiBi (a bias that depends on distance)</source>
        <translation>ALiBi（按距离的偏置）</translation>
    </message>
    <message>
        <source>The same numbers viewed by head: 3·head_dim of them for each head.</source>
        <translation>同一批数按头查看：每个头 3·head_dim 个。</translation>
    </message>
    <message>
        <source>The sum of the values, each multiplied by its weight, for each query.</source>
        <translation>每个查询的上下文：各个值乘以权重后求和。</translation>
    </message>
    <message>
        <source>inverted: allowed cells are masked, and masked cells are allowed</source>
        <translation>反转：该允许的被掩码，该掩码的被允许</translation>
    </message>
    <message>
        <source>soft-capped scores</source>
        <translation>经软上限（soft-capping）的注意力分数</translation>
    </message>
    <message>
        <source>the errors of a precision</source>
        <translation>一种精度的误差</translation>
    </message>
    <message>
        <source>with scale auto, {} is used, as in this family of models</source>
        <translation>缩放为 auto 时取 {}，与这一系列模型相同</translation>
    </message>
    <message>
        <source>{} is a causal mask; it is used if no mask is given</source>
        <translation>{} 是因果掩码，未指定掩码时使用</translation>
    </message>
    <message>
        <source>{} is not a picture file; its name must end in one of {}</source>
        <translation>{} 不是图片文件；文件名必须以 {} 之一结尾</translation>
    </message>
    <message>
        <source>{} is stored as (in, out), too</source>
        <translation>{} 也按（输入，输出）存放</translation>
    </message>
    <message>
        <source>{} is stored as (out, in)</source>
        <translation>{} 按（输出，输入）存放</translation>
    </message>
    <message>
        <source>{}: &apos;{}&apos; is not a part of the window; the parts are {}</source>
        <translation>{}：&apos;{}&apos; 不是窗口的部分；可用的部分是 {}</translation>
    </message>
    <message>
        <source>{}: &apos;{}&apos; is not a stage; the stages are {}</source>
        <translation>{}：&apos;{}&apos; 不是阶段；可用的阶段是 {}</translation>
    </message>
    <message>
        <source>{}: not a good npz file: the member &quot;{}&quot; changed while the file was read; read it again</source>
        <translation>{}：不是有效的 npz 文件：读取时成员 &quot;{}&quot; 发生了变化；请重新读取</translation>
    </message>
    <message>
        <source>{}: the placeholder {} has &apos;{}&apos;, which it does not take; it takes {}</source>
        <translation>{}：占位符 {} 带有它不接受的 &apos;{}&apos;；它接受 {}</translation>
    </message>
    <message>
        <source>{}: this is not a lesson; a lesson has &quot;format&quot;: &quot;headscope-lesson&quot;</source>
        <translation>{}：这不是课程；课程带有 &quot;format&quot;: &quot;headscope-lesson&quot;</translation>
    </message>
    <message>
        <source>{}: {} says model_type codegen, whose fused weights are stored in another order, which HeadScope does not read</source>
        <translation>{}：{} 中的 model_type 为 codegen，其融合权重按另一种顺序存放，HeadScope 不读取</translation>
    </message>
    <message>
        <source>{}: {} was found, but no output projection; {}out_proj.weight was expected</source>
        <translation>{}：有 {}，但没有输出投影；应有 {}out_proj.weight</translation>
    </message>
    <message>
        <source>{}: {} was found, but not {}; query, key and value were expected</source>
        <translation>{}：有 {}，但没有 {}；应同时有查询、键和值</translation>
    </message>
    <message>
        <source>the mask has {} tokens; at most {} can be checked here</source>
        <translation>掩码有 {} 个词元；此处最多可检查 {} 个</translation>
    </message>
    <message>
        <source>Equal: every cell is as {} says</source>
        <translation>相等：每个单元格都与 {} 一致</translation>
    </message>
    <message>
        <source>First wrong cell: query {}, key {} is allowed and should be masked</source>
        <translation>第一个错误单元格：查询 {}、键 {} 被允许，应被掩码</translation>
    </message>
    <message>
        <source>First wrong cell: query {}, key {} is masked and should be allowed</source>
        <translation>第一个错误单元格：查询 {}、键 {} 被掩码，应被允许</translation>
    </message>
    <message>
        <source>One of {} cells differs</source>
        <translation>{} 个单元格中有一个不同</translation>
    </message>
    <message>
        <source>Padding is guessed from the cells: {} of {} tokens are real</source>
        <translation>填充由单元格推测：{1} 个词元中有 {0} 个是真实的</translation>
    </message>
    <message>
        <source>The closest expression is {}</source>
        <translation>最接近的表达式是 {}</translation>
    </message>
    <message>
        <source>This is {}</source>
        <translation>这是 {}</translation>
    </message>
    <message>
        <source>a leak: {} {} and {} leak into each other, tokens {} to {} and {} to {}</source>
        <translation>泄漏：{} {} 和 {} 互相泄漏，即词元 {} 到 {} 和 {} 到 {}</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>lower-right corner where upper-left was meant: padding comes last</source>
        <translation>应对齐左上角，却对齐了右下角：填充在最后</translation>
    </message>
    <message>
        <source>off by one: it is {} where {} was meant</source>
        <translation>差一：是 {}，而本意是 {}</translation>
    </message>
    <message>
        <source>off by one: the boundaries are {} where {} was meant</source>
        <translation>差一：边界是 {}，而本意是 {}</translation>
    </message>
    <message>
        <source>off by one: the window is {} where {} was meant</source>
        <translation>差一：窗口是 {}，而本意是 {}</translation>
    </message>
    <message>
        <source>padding on queries as well: the rows of [PAD] queries are fully masked</source>
        <translation>填充也作用于查询：[PAD] 查询的行是全掩码行</translation>
    </message>
    <message>
        <source>padding on queries instead of keys</source>
        <translation>填充作用于查询，而不是键</translation>
    </message>
    <message>
        <source>the mask has no cells</source>
        <translation>掩码没有单元格</translation>
    </message>
    <message>
        <source>the mask has {} queries and {} keys; the closest expression is searched for square masks: state what was meant</source>
        <translation>掩码有 {} 个查询和 {} 个键；只有方形掩码才能搜索最接近的表达式：请写明本意</translation>
    </message>
    <message>
        <source>the mask has {} tokens; at most {} can be checked</source>
        <translation>掩码有 {} 个词元；最多可检查 {} 个</translation>
    </message>
    <message>
        <source>the mask has {} tokens; the closest expression is searched for {} at most: state what was meant</source>
        <translation>掩码有 {} 个词元；最多对 {} 个词元搜索最接近的表达式：请写明本意</translation>
    </message>
    <message>
        <source>upper-left corner where lower-right was meant: padding comes first</source>
        <translation>应对齐右下角，却对齐了左上角：填充在最前</translation>
    </message>
    <message>
        <source>upper-left corner where lower-right was meant: {} queries and {} keys end with the same token</source>
        <translation>应对齐右下角，却对齐了左上角：{} 个查询和 {} 个键以同一个词元结束</translation>
    </message>
    <message>
        <source>{} of {} cells differ</source>
        <translation>{1} 个单元格中有 {0} 个不同</translation>
    </message>
    <message>
        <source>{}, from query {} on</source>
        <translation>从查询 {1} 起{0}</translation>
    </message>
    <message>
        <source>The mask is {}, not {}</source>
        <translation>掩码是 {}，而不是 {}</translation>
    </message>
    <message>
        <source>layer is &apos;{}&apos;; the layers of {} are numbered from 0 to {}</source>
        <translation>layer 为“{}”；{} 的层编号为 0 到 {}</translation>
    </message>
    <message>
        <source>num_heads is &apos;{}&apos;, but the recording {} has {}; leave it out</source>
        <translation>num_heads 为“{}”，但录制 {} 有 {} 个头；请留空</translation>
    </message>
    <message>
        <source>attention {}: {} layers of {} heads</source>
        <translation>attention {}：{} 层，每层 {} 个头</translation>
    </message>
    <message>
        <source>attention {}: {} layers, {} sequences, {} heads</source>
        <translation>attention {}：{} 层，{} 个序列，{} 个头</translation>
    </message>
    <message>
        <source>attention {}: {} sequences of {} heads, as there are tokens for each</source>
        <translation>attention {}：{} 个序列，每个 {} 个头，因为每个序列都有词元</translation>
    </message>
    <message>
        <source>broad</source>
        <translation>分散</translation>
    </message>
    <message>
        <source>duplicate</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>first</source>
        <translation>首个词元</translation>
    </message>
    <message>
        <source>how evenly the weight is spread: (2^entropy - 1) / (keys - 1), 0 for one key, 1 for all equally</source>
        <translation>权重分布的均匀程度：(2^熵 - 1) / (键数 - 1)，只有一个键为 0，所有键相等为 1</translation>
    </message>
    <message>
        <source>induction</source>
        <translation>归纳</translation>
    </message>
    <message>
        <source>itself</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>mean weight on special tokens: [CLS], [SEP], &lt;s&gt;, &lt;/s&gt;, &lt;|endoftext|&gt; and their like</source>
        <translation>特殊词元的平均权重：[CLS]、[SEP]、&lt;s&gt;、&lt;/s&gt;、&lt;|endoftext|&gt; 等</translation>
    </message>
    <message>
        <source>mean weight on the first token</source>
        <translation>第一个词元的平均权重</translation>
    </message>
    <message>
        <source>mean weight on the query&apos;s own token</source>
        <translation>查询自身词元的平均权重</translation>
    </message>
    <message>
        <source>mean weight on the token after the query, over all queries but the last</source>
        <translation>查询后一个词元的平均权重，最后一个查询除外</translation>
    </message>
    <message>
        <source>mean weight on the token before the query, over all queries but the first</source>
        <translation>查询前一个词元的平均权重，第一个查询除外</translation>
    </message>
    <message>
        <source>next</source>
        <translation>后一个</translation>
    </message>
    <message>
        <source>previous</source>
        <translation>前一个</translation>
    </message>
    <message>
        <source>same word</source>
        <translation>相同词</translation>
    </message>
    <message>
        <source>separator</source>
        <translation>分隔符</translation>
    </message>
    <message>
        <source>the file has no tokens: indexes label them</source>
        <translation>文件没有词元：以序号为标签</translation>
    </message>
    <message>
        <source>the weights are recorded, but no recording was read</source>
        <translation>权重应来自录制，但没有读取任何录制</translation>
    </message>
    <message>
        <source>there is no stage {} in a recording; it has weights and mask</source>
        <translation>录制没有阶段 {}；它只有权重和掩码</translation>
    </message>
    <message>
        <source>this layer of the recording</source>
        <translation>录制的这一层</translation>
    </message>
    <message>
        <source>{}: attention is of type {}; F16, BF16, F32 or F64 was expected</source>
        <translation>{}：attention 的类型为 {}；应为 F16、BF16、F32 或 F64</translation>
    </message>
    <message>
        <source>{}: metadata tokens must be a JSON list of texts, or one such list for each sequence</source>
        <translation>{}：元数据 tokens 必须是文本的 JSON 列表，或每个序列一个这样的列表</translation>
    </message>
    <message>
        <source>{}: attention has the shape {}; (H,S,S), (L,H,S,S), (B,H,S,S) or (L,B,H,S,S) was expected</source>
        <translation>{}：attention 的形状为 {}；应为 (H,S,S)、(L,H,S,S)、(B,H,S,S) 或 (L,B,H,S,S)</translation>
    </message>
    <message>
        <source>{}: attention has the shape {}; at most {} layers, {} sequences and {} heads can be shown</source>
        <translation>{}：attention 的形状为 {}；最多可显示 {} 层、{} 个序列和 {} 个头</translation>
    </message>
    <message>
        <source>{}: metadata tokens is for a batch of {}, and attention for one of {}</source>
        <translation>{}：元数据 tokens 对应大小为 {} 的批次，而 attention 对应 {}</translation>
    </message>
    <message>
        <source>{}: sequence {} of metadata tokens has the length {}, and attention has {}</source>
        <translation>{}：元数据 tokens 的序列 {} 长度为 {}，而 attention 为 {}</translation>
    </message>
    <message>
        <source>two tensors are named &quot;{}&quot;; give one another name</source>
        <translation>有两个张量名为 &quot;{}&quot;；请给其中一个改名</translation>
    </message>
    <message>
        <source>{} takes {}, but its disk has {} free; choose another folder, or fewer tokens or heads</source>
        <translation>{} 需要 {}，但其磁盘只剩 {}；请选择其他文件夹，或减少词元或头</translation>
    </message>
    <message>
        <source>the {} {}:{} are outside the matrix; they must be within 0:{}</source>
        <translation>{} 的 {}:{} 超出矩阵；必须在 0:{} 之内</translation>
    </message>
    <message>
        <source>a leak between {}: {} pairs attend to each other, the first {} and {}</source>
        <translation>{}之间有泄漏：{} 对彼此注意，第一对是 {} 和 {}</translation>
    </message>
    <message>
        <source>a recording has only weights; explaining one requires the layer that computed it</source>
        <translation>录制只有权重；要解释一个权重，需要计算它的层</translation>
    </message>
    <message>
        <source>all masked: zeros of an additive mask were read as 0 = masked</source>
        <translation>全部被掩码：相加式掩码的 0 被当作“0 = 被掩码”读取</translation>
    </message>
    <message>
        <source>inverted only in the mask layer {}</source>
        <translation>仅在掩码层 {} 中被反转</translation>
    </message>
    <message>
        <source>mean weight on earlier occurrences of the query&apos;s token, over queries that have such tokens</source>
        <translation>落在查询的词元较早出现处的平均权重，仅统计有这种词元的查询</translation>
    </message>
    <message>
        <source>mean weight on the other occurrences of the query&apos;s token, over queries that have such tokens</source>
        <translation>落在查询的词元其他出现处的平均权重，仅统计有这种词元的查询</translation>
    </message>
    <message>
        <source>mean weight on the tokens after earlier occurrences of the query&apos;s token, over queries that have such tokens</source>
        <translation>落在查询的词元较早出现处之后的词元上的平均权重，仅统计有这种词元的查询</translation>
    </message>
    <message>
        <source>shifted forward by one token along the diagonal</source>
        <translation>沿对角线向右下偏移一个词元</translation>
    </message>
    <message>
        <source>the name &quot;{}&quot; is reserved for the metadata of an npz file; give the tensor another name</source>
        <translation>名称“{}”保留给 npz 文件的元数据；请给张量另取名称</translation>
    </message>
    <message>
        <source>the recording &apos;{}&apos; does not match the request: its layers, heads or tokens differ</source>
        <translation>录制“{}”与请求不符：其层、头或词元不同</translation>
    </message>
    <message>
        <source>transposed only in the mask layer {}</source>
        <translation>仅在掩码层 {} 中被转置</translation>
    </message>
    <message>
        <source>with the additional mask layer {}</source>
        <translation>多了掩码层 {}</translation>
    </message>
    <message>
        <source>without the mask layer {}</source>
        <translation>缺少掩码层 {}</translation>
    </message>
    <message>
        <source>{} only in the mask layer {}</source>
        <translation>仅在掩码层 {1} 中{0}</translation>
    </message>
    <message>
        <source>the computation was cancelled; the next change of a setting starts it again</source>
        <translation>计算已取消；下次更改设置时会重新开始</translation>
    </message>
    <message>
        <source>the picture is still being computed; try again when it is complete</source>
        <translation>图像仍在计算；请在完成后重试</translation>
    </message>
    <message>
        <source>the socket for Python can&apos;t be made: {}</source>
        <translation>无法建立供 Python 使用的套接字：{}</translation>
    </message>
    <message>
        <source>recorded attention has no layer to build in PyTorch; .py is written of computed attention</source>
        <translation>录制的注意力没有可在 PyTorch 中构建的层；.py 只用于计算得到的注意力</translation>
    </message>
    <message>
        <source>{} is no table&apos;s name; it must end in .csv, .json, .npz, .safetensors or .py</source>
        <translation>{} 不是表格文件名；必须以 .csv、.json、.npz、.safetensors 或 .py 结尾</translation>
    </message>
    <message>
        <source>{}: it must be true or false</source>
        <translation>{}：必须是 true 或 false</translation>
    </message>
    <message>
        <source>{}: the file has {} bytes; at most {} are read</source>
        <translation>{}：文件有 {} 字节；最多读取 {} 字节</translation>
    </message>
    <message>
        <source>{}: this is not a session; a session has &quot;format&quot;: &quot;{}&quot;</source>
        <translation>{}：这不是会话；会话含有 &quot;format&quot;: &quot;{}&quot;</translation>
    </message>
    <message>
        <source>{}: version {} of sessions can&apos;t be read; this program reads version {}</source>
        <translation>{}：无法读取版本 {} 的会话；本程序读取版本 {}</translation>
    </message>
    <message>
        <source>{}: it must be a number</source>
        <translation>{}：必须是数字</translation>
    </message>
    <message>
        <source>{}: the picture carries no state; only those that HeadScope exports with their state can be opened</source>
        <translation>{}：该图片不携带状态；只能打开 HeadScope 连同状态一起导出的图片</translation>
    </message>
    <message>
        <source>&apos;{}&apos; changes scores and allows no cell, so it can&apos;t be joined by a plus sign; put a comma before it</source>
        <translation>“{}”改变注意力分数而不允许任何单元格，因此不能用加号连接；请在它前面写逗号</translation>
    </message>
    <message>
        <source>&apos;{}&apos; changes scores and masks nothing; leave it out here</source>
        <translation>“{}”改变注意力分数而不掩码任何单元格；请在此处去掉它</translation>
    </message>
    <message>
        <source>&apos;{}&apos; describes heads apart; write the mask of one head here</source>
        <translation>“{}”分别描述各个头；请在此处写一个头的掩码</translation>
    </message>
    <message>
        <source>&apos;{}&apos; does not have one number; write {}, as in {}</source>
        <translation>“{}”没有恰好一个数；请写 {}，例如 {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; does not say for which heads; write it as in {}</source>
        <translation>“{}”没有说明是哪些头；请写成 {} 的形式</translation>
    </message>
    <message>
        <source>&apos;{}&apos; is no rule; write one of {}</source>
        <translation>“{}”不是规则；请写其中之一：{}</translation>
    </message>
    <message>
        <source>&apos;{}&apos; stands twice; write it once</source>
        <translation>“{}”出现了两次；请只写一次</translation>
    </message>
    <message>
        <source>&apos;{}&apos;: &apos;{}&apos; is no head; heads are numbered from 0, as in {}</source>
        <translation>“{}”：“{}”不是头；头从 0 开始编号，例如 {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos;: &apos;{}&apos; is no number; write {}, as in {}</source>
        <translation>“{}”：“{}”不是数；请写 {}，例如 {}</translation>
    </message>
    <message>
        <source>&apos;{}&apos;: head {} comes after head {}; write the smaller one first</source>
        <translation>“{}”：头 {} 在头 {} 之后；请先写较小的一个</translation>
    </message>
    <message>
        <source>&apos;{}&apos;: {} is {}, but must be from {} to {}</source>
        <translation>“{}”：{} 是 {}，但必须在 {} 到 {} 之间</translation>
    </message>
    <message>
        <source>A sin&amp;k in the denominator (gpt-oss)</source>
        <translation>分母中的汇点 (gpt-oss)(&amp;K)</translation>
    </message>
    <message>
        <source>ALiBi: causal with a bias for distanc&amp;e</source>
        <translation>ALiBi：因果，并按距离偏置(&amp;E)</translation>
    </message>
    <message>
        <source>ALiBi: slopes of base {}</source>
        <translation>ALiBi：斜率以 {} 为底</translation>
    </message>
    <message>
        <source>FlexAttention fills with -inf; it can&apos;t fill with -1e9</source>
        <translation>FlexAttention 以 -inf 填充；不能以 -1e9 填充</translation>
    </message>
    <message>
        <source>FlexAttention gives zeros for a fully masked row, not the NaN of raw -inf</source>
        <translation>FlexAttention 对全掩码行给出零，而不是 -inf 的 NaN</translation>
    </message>
    <message>
        <source>FlexAttention needs PyTorch 2.5</source>
        <translation>FlexAttention 需要 PyTorch 2.5</translation>
    </message>
    <message>
        <source>RoPE: rotated &amp;queries and keys</source>
        <translation>RoPE：旋转的查询和键(&amp;Q)</translation>
    </message>
    <message>
        <source>RoPE: q and k rotated, base {}, neighbouring pairs</source>
        <translation>RoPE：q 和 k 经旋转，底数 {}，相邻成对</translation>
    </message>
    <message>
        <source>RoPE: q and k rotated, base {}, pairs half a head apart</source>
        <translation>RoPE：q 和 k 经旋转，底数 {}，相隔半个头成对</translation>
    </message>
    <message>
        <source>Soft-capped sco&amp;res (Gemma 2)</source>
        <translation>分数软上限 (Gemma 2)(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Windows in heads 0-3, ALiBi in the others</source>
        <translation>头 0-3 用窗口，其余用 ALiBi(&amp;W)</translation>
    </message>
    <message>
        <source>alibi: subtracts slope · |i − j| from each score; head h of H has the slope BASE^(−8(h+1)/H).</source>
        <translation>alibi：从每个注意力分数减去 斜率 · |i − j|；H 个头中头 h 的斜率为 BASE^(−8(h+1)/H)。</translation>
    </message>
    <message>
        <source>fully masked row: the sink takes {} of the weight, and the keys share the rest</source>
        <translation>全掩码行：汇点占权重的 {}，其余由各键分得</translation>
    </message>
    <message>
        <source>head {} is described twice; describe each head once</source>
        <translation>头 {} 被描述了两次；每个头请只描述一次</translation>
    </message>
    <message>
        <source>nn.MultiheadAttention projects q and k itself, so that nothing can rotate or normalise them</source>
        <translation>nn.MultiheadAttention 自行投影 q 和 k，因此无法对它们旋转或归一化</translation>
    </message>
    <message>
        <source>only layers of the mask can be switched off; leave {} out</source>
        <translation>只有掩码层可以关闭；请去掉 {}</translation>
    </message>
    <message>
        <source>q and k divided by their root mean square, eps {}</source>
        <translation>q 和 k 除以各自的均方根，eps 为 {}</translation>
    </message>
    <message>
        <source>qknorm: divides each q and each k by its root mean square √(mean(x²) + EPS), before rope.</source>
        <translation>qknorm：在 rope 之前，将每个 q 和每个 k 除以其均方根 √(mean(x²) + EPS)。</translation>
    </message>
    <message>
        <source>rope: rotates q and k by angles i · BASE^(−2d/head_dim); half pairs d with d + head_dim/2, interleaved 2d with 2d + 1.</source>
        <translation>rope：将 q 和 k 旋转角度 i · BASE^(−2d/head_dim)；half 将 d 与 d + head_dim/2 配对，interleaved 将 2d 与 2d + 1 配对。</translation>
    </message>
    <message>
        <source>sink: a logit of {} in the denominator</source>
        <translation>汇点：分母中的对数几率为 {}</translation>
    </message>
    <message>
        <source>sink: exp(LOGIT) joins the denominator of each row&apos;s softmax, so that its weights sum to less than 1.</source>
        <translation>sink：exp(LOGIT) 加入每行 softmax 的分母，因此该行权重之和小于 1。</translation>
    </message>
    <message>
        <source>soft cap: scores stay within ±{}</source>
        <translation>软上限：注意力分数保持在 ±{} 之内</translation>
    </message>
    <message>
        <source>softcap: makes each score C · tanh(score / C), before the mask.</source>
        <translation>softcap：在掩码之前，将每个注意力分数变为 C · tanh(分数 / C)。</translation>
    </message>
    <message>
        <source>the case &apos;{}&apos; can&apos;t be measured: rope and qknorm change q and k before the attention</source>
        <translation>无法测量“{}”：rope 和 qknorm 在注意力之前改变 q 和 k</translation>
    </message>
    <message>
        <source>the mask describes head {}, but the layer has {} heads, numbered from 0 to {}</source>
        <translation>掩码描述了头 {}，但该层有 {} 个头，编号从 0 到 {}</translation>
    </message>
    <message>
        <source>the mask does not say anything of head {}; add &apos;; {}: none&apos;</source>
        <translation>掩码没有描述头 {}；请加上“; {}: none”</translation>
    </message>
    <message>
        <source>{} can&apos;t be held by {}, whose numbers go from {} to {}</source>
        <translation>{} 无法用 {} 表示，其数值范围为 {} 到 {}</translation>
    </message>
    <message>
        <source>{} changes scores, and a recording has only weights; leave it out of the mask</source>
        <translation>{} 改变注意力分数，而录制只有权重；请从掩码中去掉它</translation>
    </message>
    <message>
        <source>{} has no sink; the form by hand and FlexAttention have one</source>
        <translation>{} 没有汇点；手写形式和 FlexAttention 有</translation>
    </message>
    <message>
        <source>{} has no soft cap; the form by hand and FlexAttention have one</source>
        <translation>{} 没有软上限；手写形式和 FlexAttention 有</translation>
    </message>
    <message>
        <source>{} may compute with more bits than {}: the numbers agree up to its rounding</source>
        <translation>{} 可能以比 {} 更多的位数计算：数值在其舍入误差内一致</translation>
    </message>
    <message>
        <source>{} of {} keys are allowed; the sink takes {} of the weight</source>
        <translation>{} / {} 个键被允许；汇点占权重的 {}</translation>
    </message>
    <message>
        <source>{} rotates pairs of numbers, but head_dim is {}, which is odd</source>
        <translation>{} 成对旋转数值，但 head_dim 是 {}，为奇数</translation>
    </message>
    <message>
        <source>{} stands twice; write it once</source>
        <translation>{} 出现了两次；请只写一次</translation>
    </message>
    <message>
        <source>{} {}, which is not set; the mask {} sets it</source>
        <translation>{}{}，目前未设置；掩码 {} 可设置它</translation>
    </message>
</context>
<context>
    <name>Examples</name>
    <message>
        <source>Causal mask</source>
        <translation>因果掩码</translation>
    </message>
    <message>
        <source>Each query attends to itself and to the keys before it.</source>
        <translation>每个查询注意自己和它之前的键。</translation>
    </message>
    <message>
        <source>Padding mask</source>
        <translation>填充掩码</translation>
    </message>
    <message>
        <source>The shorter sequence is filled up with [PAD], which no query attends to.</source>
        <translation>较短的序列用 [PAD] 补齐，没有查询注意它。</translation>
    </message>
    <message>
        <source>Left padding</source>
        <translation>左填充</translation>
    </message>
    <message>
        <source>With [PAD] on the left and a causal mask, the first rows are fully masked.</source>
        <translation>[PAD] 在左侧并使用因果掩码时，最前面的行是全掩码行。</translation>
    </message>
    <message>
        <source>Local window</source>
        <translation>局部窗口</translation>
    </message>
    <message>
        <source>Each query attends to two keys on either side.</source>
        <translation>每个查询注意两侧各两个键。</translation>
    </message>
    <message>
        <source>Sink and window</source>
        <translation>汇聚词元与窗口</translation>
    </message>
    <message>
        <source>A causal window of the last three keys, and the first key, which every query keeps.</source>
        <translation>最近三个键的因果窗口，加上每个查询都保留的第一个键。</translation>
    </message>
    <message>
        <source>Packed documents</source>
        <translation>打包的文档</translation>
    </message>
    <message>
        <source>Two documents in one sequence: no query attends to the other document.</source>
        <translation>一个序列中有两篇文档：没有查询注意另一篇文档。</translation>
    </message>
    <message>
        <source>Fully masked row, safe</source>
        <translation>全掩码行，safe</translation>
    </message>
    <message>
        <source>The first query has no allowed key. With the fill “safe” its weights are 0.</source>
        <translation>第一个查询没有允许的键。填充值为“safe”时，它的权重为 0。</translation>
    </message>
    <message>
        <source>Fully masked row, raw −inf</source>
        <translation>全掩码行，原始 −inf</translation>
    </message>
    <message>
        <source>The first query has no allowed key. With raw −inf its weights are NaN.</source>
        <translation>第一个查询没有允许的键。使用原始 −inf 时，它的权重为 NaN。</translation>
    </message>
    <message>
        <source>Fully masked row, −1e9</source>
        <translation>全掩码行,−1e9</translation>
    </message>
    <message>
        <source>The first query has no allowed key. With −1e9 its weights are uniform over all keys, masked or not.</source>
        <translation>第一个查询没有允许的键。使用 −1e9 时，它的权重在所有键上均匀分布，无论是否被掩码。</translation>
    </message>
    <message>
        <source>One head against eight</source>
        <translation>一个头与八个头</translation>
    </message>
    <message>
        <source>A has eight heads of 64 dimensions, B one of 512: one pattern in place of eight.</source>
        <translation>A 有八个 64 维的头，B 有一个 512 维的头：一种模式代替八种。</translation>
    </message>
    <message>
        <source>Precision loss</source>
        <translation>精度损失</translation>
    </message>
    <message>
        <source>A is float32, B is bfloat16: A − B is what rounding to 8 bits changes in the weights.</source>
        <translation>A 为 float32，B 为 bfloat16：A − B 是舍入到 8 位对权重的改变。</translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>The same weights tile by tile: the fully masked tiles of a causal mask are skipped.</source>
        <translation>逐块计算同样的权重：因果掩码中全掩码的块被跳过。</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Print</source>
        <translation>打印</translation>
    </message>
</context>
<context>
    <name>ExportFormat</name>
    <message>
        <source>Picture (.png)</source>
        <translation>图片 (.png)</translation>
    </message>
    <message>
        <source>Vectors (.svg)</source>
        <translation>矢量图 (.svg)</translation>
    </message>
    <message>
        <source>Vectors (.pdf)</source>
        <translation>矢量图 (.pdf)</translation>
    </message>
    <message>
        <source>Table (.csv)</source>
        <translation>表格 (.csv)</translation>
    </message>
    <message>
        <source>Numbers (.json)</source>
        <translation>数值 (.json)</translation>
    </message>
    <message>
        <source>Every tensor (.npz)</source>
        <translation>所有张量 (.npz)</translation>
    </message>
    <message>
        <source>Every tensor (.safetensors)</source>
        <translation>所有张量 (.safetensors)</translation>
    </message>
    <message>
        <source>PyTorch script (.py)</source>
        <translation>PyTorch 脚本 (.py)</translation>
    </message>
</context>
<context>
    <name>Field</name>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>tokenizer</source>
        <translation>分词方式</translation>
    </message>
    <message>
        <source>embed_dim</source>
        <translation>embed_dim</translation>
    </message>
    <message>
        <source>num_heads</source>
        <translation>num_heads</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>fill</source>
        <translation>填充值</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>chunk size</source>
        <translation>分块大小</translation>
    </message>
    <message>
        <source>key chunk size</source>
        <translation>键分块大小</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
</context>
<context>
    <name>Figure</name>
    <message>
        <source>whole</source>
        <translation>整体</translation>
    </message>
    <message>
        <source>textbook heads, seed %1</source>
        <translation>教科书式的头，种子 %1</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>rows are queries, columns are keys</source>
        <translation>行为查询，列为键</translation>
    </message>
    <message>
        <source>rows are tokens, columns are dimensions</source>
        <translation>行为词元，列为维度</translation>
    </message>
    <message>
        <source>hatched: masked</source>
        <translation>斜线：被掩码</translation>
    </message>
    <message>
        <source>square in the hatching: leaked weight on a masked key</source>
        <translation>斜线中的方块：被掩码的键上有泄漏的权重</translation>
    </message>
    <message>
        <source>crossed: NaN</source>
        <translation>叉：NaN</translation>
    </message>
    <message>
        <source>◂ fully masked row</source>
        <translation>◂ 全掩码行</translation>
    </message>
    <message>
        <source>each cell drawn is the largest of %1×%2</source>
        <translation>图中每格为 %1×%2 个中的最大值</translation>
    </message>
    <message>
        <source>%1 cells, more than %2: drawn as a bitmap</source>
        <translation>%1 个单元格，超过 %2：以位图绘制</translation>
    </message>
    <message>
        <source>not kept in memory</source>
        <translation>未保存在内存中</translation>
    </message>
    <message>
        <source>mask %1</source>
        <translation>掩码 %1</translation>
    </message>
    <message>
        <source>fill %1 (%2)</source>
        <translation>填充值 %1（%2）</translation>
    </message>
    <message>
        <source>fill %1</source>
        <translation>填充值 %1</translation>
    </message>
    <message>
        <source>scale %1</source>
        <translation>缩放 %1</translation>
    </message>
    <message>
        <source>chunks %1 × %2</source>
        <translation>分块 %1 × %2</translation>
    </message>
    <message>
        <source>%1 · sequence %2 of %3</source>
        <translation>%1 · 序列 %2，共 %3 个</translation>
    </message>
    <message>
        <source>0 to 1 · %1</source>
        <translation>0 到 1 · %1</translation>
    </message>
    <message>
        <source>per head · %1</source>
        <translation>按头 · %1</translation>
    </message>
    <message>
        <source>shared · %1</source>
        <translation>共用 · %1</translation>
    </message>
    <message>
        <source>logarithmic · %1</source>
        <translation>对数 · %1</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>labels: 1 in %1</source>
        <translation>标签：1/%1</translation>
    </message>
    <message>
        <source>row labels: 1 in %1</source>
        <translation>行标签：1/%1</translation>
    </message>
    <message>
        <source>column labels: 1 in %1</source>
        <translation>列标签：1/%1</translation>
    </message>
    <message>
        <source>each cell drawn is the mean of %1×%2</source>
        <translation>图中每格为 %1×%2 个的平均值</translation>
    </message>
    <message>
        <source>recording %1, layer %2</source>
        <translation>录制 %1，第 %2 层</translation>
    </message>
    <message>
        <source>recording %1</source>
        <translation>录制 %1</translation>
    </message>
    <message>
        <source>%1, renormalised under the mask</source>
        <translation>%1，在掩码下重新归一化</translation>
    </message>
    <message>
        <source>weights %1, layer %2 (%3)</source>
        <translation>权重 %1，第 %2 层（%3）</translation>
    </message>
</context>
<context>
    <name>FontCoverage</name>
    <message>
        <source>emoji</source>
        <translation>表情符号</translation>
    </message>
    <message>
        <source>symbols</source>
        <translation>符号</translation>
    </message>
    <message>
        <source>No installed font covers %1; it is drawn as boxes.</source>
        <translation>已安装的字体都不包含 %1，因此显示为方框。</translation>
    </message>
    <message>
        <source>No installed font covers %1; it is drawn as boxes. The Debian package %2 brings a font.</source>
        <translation>已安装的字体都不包含 %1，因此显示为方框。Debian 软件包 %2 提供相应字体。</translation>
    </message>
</context>
<context>
    <name>GoToToken</name>
    <message>
        <source>Go to token</source>
        <translation>转到词元</translation>
    </message>
    <message>
        <source>Index, or the text of a token:</source>
        <translation>序号，或词元的文本：</translation>
    </message>
    <message>
        <source>No token has this index or text. Index from 0 to %1, or the text of a token:</source>
        <translation>没有此序号或文本的词元。请输入 0 到 %1 的序号，或词元的文本：</translation>
    </message>
</context>
<context>
    <name>RowWords</name>
    <message>
        <source>the row contains NaN, so it has no sum and no entropy</source>
        <translation>该行含 NaN，因此没有和，也没有熵</translation>
    </message>
    <message>
        <source>weights sum to %1 · entropy %2 bits (0: one key alone, %3: all %4 alike)</source>
        <translation>权重之和 %1 · 熵 %2 比特（0：只有一个键，%3：%4 个键均等）</translation>
    </message>
    <message>
        <source>%1 (key %2) +%3</source>
        <translation>%1（键 %2）+%3</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>without the mask, masked keys would have %1 of the weight</source>
        <translation>没有掩码时，被掩码的键会有 %1 的权重</translation>
    </message>
    <message>
        <source>%1; it is redistributed to %2</source>
        <translation>%1；它被重新分配给 %2</translation>
    </message>
    <message>
        <source>the row sums to %1: its masked keys would have no weight anyway</source>
        <translation>该行之和为 %1：被掩码的键本来就没有权重</translation>
    </message>
    <message numerus="yes">
        <source>%1 (query %2) attends to %3 of %4 keys in head %5</source>
        <translation>
            <numerusform>%1（查询 %2）在头 %5 中注意 %4 个键中的 %3 个</numerusform>
        </translation>
    </message>
    <message>
        <source>the mask took nothing: the masked keys have no weight without it either</source>
        <translation>掩码没有取走权重：被掩码的键没有掩码时也没有权重</translation>
    </message>
    <message>
        <source>a score that is NaN makes the row NaN, masked or not: 0 · NaN is NaN</source>
        <translation>注意力分数为 NaN 会使整行为 NaN，无论是否被掩码：0 · NaN 是 NaN</translation>
    </message>
    <message>
        <source>no key of this row is masked, so that both ways agree</source>
        <translation>这一行没有被掩码的键，因此两种做法一致</translation>
    </message>
    <message>
        <source>the row sums to %1, not to 1: the weight of the masked keys is lost, as the row is not renormalised</source>
        <translation>这一行的和为 %1 而不是 1：被掩码的键的权重丢失了，因为该行没有重新归一化</translation>
    </message>
    <message>
        <source>the row sums to %1: beside the sink&apos;s part, the weight of the masked keys is lost, as the row is not renormalised</source>
        <translation>该行之和为 %1：除汇点所占部分外，被掩码键的权重也丢失了，因为该行没有重新归一化</translation>
    </message>
</context>
<context>
    <name>SpeedPlot</name>
    <message>
        <source>memory-efficient</source>
        <translation>内存高效</translation>
    </message>
    <message>
        <source>mixed precision</source>
        <translation>混合精度</translation>
    </message>
    <message>
        <source>sparse</source>
        <translation>稀疏</translation>
    </message>
    <message>
        <source>plain</source>
        <translation>普通</translation>
    </message>
</context>
<context>
    <name>Stage</name>
    <message>
        <source>x</source>
        <translation>x</translation>
    </message>
    <message>
        <source>qkv</source>
        <translation>qkv</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Q</source>
        <translation>Q</translation>
    </message>
    <message>
        <source>K</source>
        <translation>K</translation>
    </message>
    <message>
        <source>V</source>
        <translation>V</translation>
    </message>
    <message>
        <source>scores</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>masked</source>
        <translation>掩码后</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>concat</source>
        <translation>拼接</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
</context>
<context>
    <name>ToolTip</name>
    <message numerus="yes">
        <source> (%n characters)</source>
        <translation>
            <numerusform>（%n 个字符）</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope</name>
    <message>
        <source>Row %1 begins: its running maximum is %2, its running sum %3.</source>
        <translation>第 %1 行开始：滚动最大值为 %2，滚动和为 %3。</translation>
    </message>
    <message>
        <source>Row %1: the running maximum stays %2; the running sum is now %3.</source>
        <translation>第 %1 行：滚动最大值仍为 %2；现在滚动和为 %3。</translation>
    </message>
    <message>
        <source>whole</source>
        <translation>整体</translation>
    </message>
    <message>
        <source>Type a sentence above to see what each head attends to.</source>
        <translation>在上方输入句子，看看每个头注意什么。</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>previous token</source>
        <translation>前一个词元</translation>
    </message>
    <message>
        <source>next token</source>
        <translation>后一个词元</translation>
    </message>
    <message>
        <source>itself</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>第一个词元</translation>
    </message>
    <message>
        <source>same word</source>
        <translation>相同的词</translation>
    </message>
    <message>
        <source>two back</source>
        <translation>往前两个</translation>
    </message>
    <message>
        <source>neighbourhood</source>
        <translation>邻近</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1和%2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (query %2) can attend to &apos;%3&apos; (key %4): %5</source>
        <translation>“%1”（查询 %2）可以注意“%3”（键 %4）：%5</translation>
    </message>
    <message>
        <source>there is no mask</source>
        <translation>没有掩码</translation>
    </message>
    <message numerus="yes">
        <source>&apos;%1&apos; (query %2) can attend to %3 of %4 keys</source>
        <translation>
            <numerusform>“%1”（查询 %2）可以注意 %4 个键中的 %3 个</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>无(&amp;N)</translation>
    </message>
    <message>
        <source>Masks (*.json *.csv *.npy);;All files (*)</source>
        <translation>掩码 (*.json *.csv *.npy);;所有文件 (*)</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (query %2) can&apos;t attend to &apos;%3&apos; (key %4): masked by %5</source>
        <translation>“%1”（查询 %2）不能注意“%3”（键 %4）：被%5掩码</translation>
    </message>
    <message>
        <source>no layer masks it</source>
        <translation>没有掩码层掩码它</translation>
    </message>
    <message numerus="yes">
        <source>%3 of %4 queries can attend to &apos;%1&apos; (key %2)</source>
        <translation>
            <numerusform>%4 个查询中有 %3 个可以注意“%1”（键 %2）</numerusform>
        </translation>
    </message>
    <message>
        <source>&apos;%1&apos; (query %2) has no key to attend to</source>
        <translation>“%1”（查询 %2）没有可注意的键</translation>
    </message>
    <message numerus="yes">
        <source>%n queries have no key to attend to: </source>
        <translation>
            <numerusform>%n 个查询没有可注意的键：</numerusform>
        </translation>
    </message>
    <message>
        <source>, or </source>
        <translation>，或</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (query %2) is fully masked: its weights and its context are 0</source>
        <translation>“%1”（查询 %2）是全掩码行：它的权重和上下文都是 0</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (query %2) is fully masked: all its scores are %3, so it takes %4 from every key, masked or not</source>
        <translation>“%1”（查询 %2）是全掩码行：它的分数全是 %3，因此无论是否被掩码，它从每个键取 %4</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (query %2) is fully masked: all its scores are −∞, so its weights are NaN</source>
        <translation>“%1”（查询 %2）是全掩码行：它的分数全是 −∞，因此它的权重是 NaN</translation>
    </message>
    <message>
        <source>Tile %1 of %2: queries %3 × keys %4 is skipped: it is fully masked.</source>
        <translation>第 %1 块，共 %2 块：查询 %3 × 键 %4 被跳过：它是全掩码的。</translation>
    </message>
    <message>
        <source>Tile %1 of %2: queries %3 × keys %4 is computed although it is fully masked: with −1e9 a masked key may take weight.</source>
        <translation>第 %1 块，共 %2 块：查询 %3 × 键 %4 虽然是全掩码的，仍被计算：使用 −1e9 时被掩码的键可能得到权重。</translation>
    </message>
    <message numerus="yes">
        <source>Tile %1 of %2: queries %3 × keys %4 is computed: all of its %6 cells are allowed.</source>
        <translation>
            <numerusform>第 %1 块，共 %2 块：查询 %3 × 键 %4 被计算：它的 %6 个单元格全部允许。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Tile %1 of %2: queries %3 × keys %4 is computed: %5 of its %6 cells are allowed.</source>
        <translation>
            <numerusform>第 %1 块，共 %2 块：查询 %3 × 键 %4 被计算：它的 %6 个单元格中有 %5 个允许。</numerusform>
        </translation>
    </message>
    <message>
        <source>Row %1 is not in this tile.</source>
        <translation>第 %1 行不在这一块中。</translation>
    </message>
    <message>
        <source>Row %1 does not change.</source>
        <translation>第 %1 行不变。</translation>
    </message>
    <message>
        <source>Row %1 has had no allowed key yet.</source>
        <translation>第 %1 行还没有遇到允许的键。</translation>
    </message>
    <message>
        <source>Row %1: the maximum rises from %2 to %3, so the running values are rescaled by %4; the sum is now %5.</source>
        <translation>第 %1 行：最大值从 %2 升到 %3，因此滚动值按 %4 重新缩放；和现在为 %5。</translation>
    </message>
    <message>
        <source>Against the whole computation, the weights of row %1 differ by at most %2 and its context by %3.</source>
        <translation>与整体计算相比，第 %1 行的权重最多相差 %2，上下文最多相差 %3。</translation>
    </message>
    <message>
        <source>The output of the layer differs by at most %1.</source>
        <translation>该层的输出最多相差 %1。</translation>
    </message>
    <message>
        <source>Scores and weights of this head: %1 whole, %2 at a time; %3 of %4 tiles are skipped, which saves %5.</source>
        <translation>这个头的注意力分数和权重：整体 %1，每次 %2；%4 块中跳过 %3 块，节省 %5。</translation>
    </message>
    <message>
        <source>Chunks of %1 queries × %2 keys make one tile of these %3 tokens. Shown here with %4 × %4.</source>
        <translation>%1 个查询 × %2 个键的分块使这 %3 个词元成为一块。这里以 %4 × %4 显示。</translation>
    </message>
    <message>
        <source>en</source>
        <comment>code of the language: en or zh_CN</comment>
        <translation>zh_CN</translation>
    </message>
    <message>
        <source>%1.</source>
        <comment>a full sentence</comment>
        <translation>%1。</translation>
    </message>
    <message>
        <source>Not in this file: a recording has attention weights only, without the vectors, scores and outputs that a layer computes.</source>
        <translation>此文件中没有：录制只有注意力权重，没有层所计算的向量、注意力分数和输出。</translation>
    </message>
    <message>
        <source>mixed</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>no measure is at least 0.5</source>
        <translation>没有达到 0.5 的指标</translation>
    </message>
    <message>
        <source>Layer %1, head %2</source>
        <translation>第 %1 层，头 %2</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (query %2) is fully masked: the sink takes its weight, and its context is 0</source>
        <translation>“%1”（查询 %2）为全掩码行：汇点占去其权重，其上下文为 0</translation>
    </message>
</context>
<context>
    <name>headscope::AnswerMap</name>
    <message>
        <source>The painted mask; wrong cells are crossed</source>
        <translation>绘制的掩码；错误的单元格打叉</translation>
    </message>
</context>
<context>
    <name>headscope::BSettings</name>
    <message>
        <source>SETTINGS OF B</source>
        <translation>B 的设置</translation>
    </message>
    <message>
        <source>fill</source>
        <translation>填充值</translation>
    </message>
    <message>
        <source>safe (−inf)</source>
        <translation>安全 (−inf)</translation>
    </message>
    <message>
        <source>raw −inf</source>
        <translation>原始 −inf</translation>
    </message>
    <message>
        <source>−1e9</source>
        <translation>−1e9</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>The format of B&apos;s numbers</source>
        <translation>B 的数值格式</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>What B&apos;s products of queries and keys are multiplied by: “auto” is 1/√head_dim</source>
        <translation>B 的查询与键的点积要乘的数：“auto” 为 1/√head_dim</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Seeds B&apos;s token vectors and seeded weights</source>
        <translation>B 的词元向量和由种子生成的权重所用的种子</translation>
    </message>
    <message>
        <source>num_heads</source>
        <translation>num_heads</translation>
    </message>
    <message>
        <source>How many heads B has</source>
        <translation>B 有多少个头</translation>
    </message>
    <message>
        <source>embed_dim</source>
        <translation>embed_dim</translation>
    </message>
    <message>
        <source>chunk size</source>
        <translation>分块大小</translation>
    </message>
    <message>
        <source>key chunk</source>
        <translation>键分块</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>B&apos;s mask as an expression: layers joined by , must all allow a cell, of patterns joined by + one must, as in causal,local:4:0+global:1</source>
        <translation>B 的掩码表达式：用 , 连接的各层必须全部允许一个单元格，用 + 连接的模式只需一个允许，例如 causal,local:4:0+global:1</translation>
    </message>
    <message>
        <source>Textbook heads</source>
        <translation>教科书式的头</translation>
    </message>
    <message>
        <source>Seeded</source>
        <translation>由种子生成</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Where B&apos;s weights come from</source>
        <translation>B 的权重来源</translation>
    </message>
    <message>
        <source>What B&apos;s masked scores become</source>
        <translation>B 的被掩码的注意力分数变成什么</translation>
    </message>
    <message>
        <source>Size of B&apos;s token vectors</source>
        <translation>B 的词元向量的大小</translation>
    </message>
    <message>
        <source>Queries that B processes at a time</source>
        <translation>B 每次处理的查询数</translation>
    </message>
    <message>
        <source>Keys that B processes at a time</source>
        <translation>B 每次处理的键数</translation>
    </message>
    <message>
        <source>Common masks</source>
        <translation>常用掩码</translation>
    </message>
</context>
<context>
    <name>headscope::CallOut</name>
    <message>
        <source>Only itself</source>
        <translation>只有它自己</translation>
    </message>
    <message>
        <source>Try it: switch Causal on</source>
        <translation>试一试：打开“因果”</translation>
    </message>
    <message>
        <source>Row 0 has one allowed key, so its whole weight is there, in every head. Click a cell to see how its weight was computed.</source>
        <translation>第 0 行只有一个允许的键，因此在每个头中它的全部权重都在那里。点击一个单元格，看它的权重是怎样计算的。</translation>
    </message>
    <message>
        <source>What can the first word still attend to?</source>
        <translation>第一个词还能注意什么？</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>显示给我看</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>以后再说</translation>
    </message>
</context>
<context>
    <name>headscope::CellPanel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>headscope::ChangePanel</name>
    <message>
        <source>Point at a cell to see how its row changes from A to B.</source>
        <translation>指向一个单元格，查看它所在的行从 A 到 B 如何变化。</translation>
    </message>
</context>
<context>
    <name>headscope::CheckPanel</name>
    <message>
        <source>Go to the first wrong cell</source>
        <translation>转到第一个错误单元格</translation>
    </message>
    <message>
        <source>Locks the first wrong cell, which is framed in the mask</source>
        <translation>锁定第一个错误单元格，它在掩码中加了框</translation>
    </message>
    <message>
        <source>&amp;What was meant</source>
        <translation>本意(&amp;W)</translation>
    </message>
    <message>
        <source>What was meant</source>
        <translation>本意</translation>
    </message>
    <message>
        <source>The expression that the mask should equal, typed or chosen; empty: the closest expression is searched for</source>
        <translation>掩码应等于的表达式，可输入或选择；留空：搜索最接近掩码的表达式</translation>
    </message>
    <message>
        <source>empty: the closest expression</source>
        <translation>留空：最接近的表达式</translation>
    </message>
</context>
<context>
    <name>headscope::ChunkView</name>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>chunks</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>queries ×</source>
        <translation>个查询 ×</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>个键</translation>
    </message>
    <message>
        <source>The head whose tiles are shown</source>
        <translation>显示哪个头的块</translation>
    </message>
    <message>
        <source>Queries at a time</source>
        <translation>一次的查询数</translation>
    </message>
    <message>
        <source>Keys at a time</source>
        <translation>一次的键数</translation>
    </message>
    <message>
        <source>Chunks, tile by tile</source>
        <translation>分块计算，逐块进行</translation>
    </message>
    <message>
        <source> “%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>Set both chunk sizes to %1, which cuts %2 tokens into a few tiles a side</source>
        <translation>把两个分块大小都设为 %1，将 %2 个词元在每边切成几块</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>tiles of %1 × %2</source>
        <translation>%1 × %2 的块</translation>
    </message>
    <message>
        <source>chunk sizes</source>
        <translation>分块大小</translation>
    </message>
    <message>
        <source>The row whose running maximum, sum and context are shown: that of the locked cell</source>
        <translation>显示其滚动最大值、滚动和与上下文的行：锁定单元格所在的行</translation>
    </message>
    <message>
        <source>Queries processed at a time; the same as “chunk size” among the parameters</source>
        <translation>每次处理的查询数；与参数中的“分块大小”相同</translation>
    </message>
    <message>
        <source>Keys processed at a time; the same as “key chunk” among the parameters</source>
        <translation>每次处理的键数；与参数中的“键分块”相同</translation>
    </message>
    <message>
        <source>coloured: computed · hatched and crossed out: skipped · blank: not yet computed · framed: the row that is explained</source>
        <translation>彩色：已计算 · 阴影并划去：跳过 · 空白：尚未计算 · 加框：所解释的行</translation>
    </message>
    <message>
        <source>Tiles of %1 × %1</source>
        <translation>%1 × %1 的块</translation>
    </message>
    <message>
        <source>One token makes one cell, which cannot be cut into tiles. Type more tokens.</source>
        <translation>一个词元只有一个单元格，无法切成块。请输入更多词元。</translation>
    </message>
</context>
<context>
    <name>headscope::CodePage</name>
    <message>
        <source>1 =
allowed</source>
        <translation>1 =
允许</translation>
    </message>
    <message>
        <source>What F.scaled_dot_product_attention means by a boolean mask</source>
        <translation>F.scaled_dot_product_attention 中布尔掩码的含义</translation>
    </message>
    <message>
        <source>True =
masked</source>
        <translation>True =
掩码</translation>
    </message>
    <message>
        <source>What nn.MultiheadAttention means by a boolean mask: the opposite</source>
        <translation>nn.MultiheadAttention 中布尔掩码的含义：正好相反</translation>
    </message>
    <message>
        <source>0 and
−∞</source>
        <translation>0 与
−∞</translation>
    </message>
    <message>
        <source>A mask that is added to the scores</source>
        <translation>加到分数上的掩码</translation>
    </message>
    <message>
        <source>Convention of the mask</source>
        <translation>掩码约定</translation>
    </message>
    <message>
        <source>one call</source>
        <translation>一次调用</translation>
    </message>
    <message>
        <source>One call of F.scaled_dot_product_attention</source>
        <translation>调用一次 F.scaled_dot_product_attention</translation>
    </message>
    <message>
        <source>by hand</source>
        <translation>手写</translation>
    </message>
    <message>
        <source>masked_fill and softmax, step by step, in any PyTorch</source>
        <translation>masked_fill 与 softmax，逐步进行，任何版本的 PyTorch 都可用</translation>
    </message>
    <message>
        <source>How the code computes</source>
        <translation>代码的计算方式</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <source>The whole code for the present mask, from x and the two linear layers to weights and output</source>
        <translation>当前掩码的完整代码，从 x 和两个线性层直到权重与输出</translation>
    </message>
    <message>
        <source>PyTorch code</source>
        <translation>PyTorch 代码</translation>
    </message>
    <message>
        <source>FlexAttention: mask_mod and score_mod, functions of one cell</source>
        <translation>FlexAttention：mask_mod 和 score_mod，针对单个单元格的函数</translation>
    </message>
</context>
<context>
    <name>headscope::ColorBar</name>
    <message>
        <source>Colours from %1 to %2</source>
        <translation>颜色从 %1 到 %2</translation>
    </message>
    <message>
        <source>−max</source>
        <translation>−最大</translation>
    </message>
    <message>
        <source>min</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>per head</source>
        <translation>按头</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>symmetric about 0, up to the largest magnitude</source>
        <translation>以 0 对称，直到最大绝对值</translation>
    </message>
</context>
<context>
    <name>headscope::CompareView</name>
    <message>
        <source>copy A to B</source>
        <translation>把 A 复制到 B</translation>
    </message>
    <message>
        <source>swap A and B</source>
        <translation>交换 A 与 B</translation>
    </message>
    <message>
        <source>A − B</source>
        <translation>A − B</translation>
    </message>
    <message>
        <source>Head %1: %2</source>
        <translation>头 %1：%2</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>B is being computed.</source>
        <translation>正在计算 B。</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>没有差别</translation>
    </message>
    <message>
        <source>&amp;head</source>
        <translation>头(&amp;H)</translation>
    </message>
    <message>
        <source>The head that is compared; Page Up and Page Down step through them</source>
        <translation>所比较的头；用 Page Up 和 Page Down 切换</translation>
    </message>
    <message>
        <source>&amp;Copy A to B</source>
        <translation>把 A 复制到 B(&amp;C)</translation>
    </message>
    <message>
        <source>A → B</source>
        <translation>A → B</translation>
    </message>
    <message>
        <source>&amp;Swap A and B</source>
        <translation>交换 A 与 B(&amp;S)</translation>
    </message>
    <message>
        <source>A ⇄ B</source>
        <translation>A ⇄ B</translation>
    </message>
    <message>
        <source>Settings of &amp;B</source>
        <translation>B 的设置(&amp;B)</translation>
    </message>
    <message>
        <source>Export &amp;A…</source>
        <translation>导出 A(&amp;A)…</translation>
    </message>
    <message>
        <source>Export &amp;B…</source>
        <translation>导出 B(&amp;B)…</translation>
    </message>
    <message>
        <source>Export A, B and the &amp;difference…</source>
        <translation>导出 A、B 及其差(&amp;D)…</translation>
    </message>
    <message>
        <source>Compare two configurations</source>
        <translation>比较两种配置</translation>
    </message>
    <message>
        <source> · B was chosen for a start: change it under “Settings of B”</source>
        <translation> · B 是为开始而选的：在“B 的设置”中更改</translation>
    </message>
    <message>
        <source>equal within rounding</source>
        <translation>在舍入误差内相等</translation>
    </message>
    <message>
        <source>Copies all settings of A to B, so that one can be changed and its effect seen</source>
        <translation>把 A 的所有设置复制到 B，以便更改其中一项并查看其影响</translation>
    </message>
    <message>
        <source>Exchanges the settings of A and B</source>
        <translation>交换 A 与 B 的设置</translation>
    </message>
    <message>
        <source>Show or hide the settings of B beside the maps</source>
        <translation>在图旁显示或隐藏 B 的设置</translation>
    </message>
    <message>
        <source>Write A, B, or both with their difference, as a picture</source>
        <translation>把 A、B 或两者及其差写为图片</translation>
    </message>
    <message>
        <source>Pictures (%1)</source>
        <translation>图片 (%1)</translation>
    </message>
</context>
<context>
    <name>headscope::ComputeSection</name>
    <message>
        <source>chunk si&amp;ze</source>
        <translation>分块大小(&amp;Z)</translation>
    </message>
    <message>
        <source>How many queries are computed at a time in memory-efficient attention; “whole” takes them all. The answer is the same, the memory smaller.</source>
        <translation>内存高效注意力中一次计算多少个查询；“whole” 表示全部。结果相同，内存更少。</translation>
    </message>
    <message>
        <source>&amp;key chunk</source>
        <translation>键分块(&amp;K)</translation>
    </message>
    <message>
        <source>The format of the numbers. The half formats round where PyTorch&apos;s autocast rounds.</source>
        <translation>数值格式。半精度格式在 PyTorch autocast 舍入的地方舍入。</translation>
    </message>
    <message>
        <source>&amp;scale</source>
        <translation>缩放(&amp;S)</translation>
    </message>
    <message>
        <source>What the products of queries and keys are multiplied by: “auto” is 1/√head_dim, which keeps them from growing with head_dim. Any number can be typed; 1 is no scale.</source>
        <translation>查询与键的点积要乘的数：“auto” 为 1/√head_dim，使点积不随 head_dim 增大。可输入任意数；1 表示不缩放。</translation>
    </message>
    <message>
        <source>1/√%1 = %2</source>
        <translation>1/√%1 = %2</translation>
    </message>
    <message>
        <source>in place of %1</source>
        <translation>代替 %1</translation>
    </message>
    <message>
        <source>How many keys are processed at a time, with a running maximum and sum for the softmax; “whole” takes them all.</source>
        <translation>每次处理多少个键，softmax 使用滚动最大值和滚动和；“整体”一次处理全部。</translation>
    </message>
    <message>
        <source>see&amp;d</source>
        <translation>种子(&amp;D)</translation>
    </message>
    <message>
        <source>Seeds the vectors of the tokens, and the weights where they are seeded: the same numbers as in PyTorch. Whole numbers from 0 to 2^64 − 1, of which the low 32 bits count.</source>
        <translation>词元向量的种子，权重由种子生成时也用它：数值与 PyTorch 相同。0 到 2^64 − 1 的整数，只有低 32 位起作用。</translation>
    </message>
    <message>
        <source>whole</source>
        <translation>整体</translation>
    </message>
    <message>
        <source>scale %1</source>
        <translation>缩放 %1</translation>
    </message>
    <message>
        <source>chunks %1 × %2</source>
        <translation>分块 %1 × %2</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>p&amp;recision</source>
        <translation>精度(&amp;R)</translation>
    </message>
</context>
<context>
    <name>headscope::ExampleGallery</name>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Each example replaces the text and all settings. Undo brings yours back.</source>
        <translation>每个示例都会替换文本和所有设置。撤销可恢复您的设置。</translation>
    </message>
</context>
<context>
    <name>headscope::ExplainedCell</name>
    <message>
        <source>more ▸</source>
        <translation>更多 ▸</translation>
    </message>
    <message>
        <source>Every step of this cell and of its row</source>
        <translation>该单元格及其所在行的每一步</translation>
    </message>
    <message>
        <source>Unlock the cell (Esc)</source>
        <translation>解锁单元格（Esc）</translation>
    </message>
    <message>
        <source>Unlock the cell</source>
        <translation>解锁单元格</translation>
    </message>
    <message>
        <source>The explained cell</source>
        <translation>被解释的单元格</translation>
    </message>
</context>
<context>
    <name>headscope::ExportDialog</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Which numbers to show</source>
        <translation>显示哪些数值</translation>
    </message>
    <message>
        <source>One head, or all of them</source>
        <translation>一个头，或所有头</translation>
    </message>
    <message>
        <source>One sequence of the batch, or all of them</source>
        <translation>批次中的一个序列，或所有序列</translation>
    </message>
    <message>
        <source>In 1/96 inch, as on a screen at 100 %</source>
        <translation>以 1/96 英寸为单位，相当于 100 % 缩放的屏幕</translation>
    </message>
    <message>
        <source>Pixels per inch: 96 as on a screen, 300 for print</source>
        <translation>每英寸像素数：屏幕为 96，印刷为 300</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>A line above the picture</source>
        <translation>图片上方的一行字</translation>
    </message>
    <message>
        <source>Sta&amp;ge</source>
        <translation>阶段(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Head</source>
        <translation>头(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Sequence</source>
        <translation>序列(&amp;S)</translation>
    </message>
    <message>
        <source>S&amp;ize</source>
        <translation>大小(&amp;I)</translation>
    </message>
    <message>
        <source>T&amp;itle</source>
        <translation>标题(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Save as…</source>
        <translation>另存为(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>All sequences</source>
        <translation>所有序列</translation>
    </message>
    <message>
        <source>Sequence %1</source>
        <translation>序列 %1</translation>
    </message>
    <message>
        <source>There is no picture yet: type a text first</source>
        <translation>还没有图片：请先输入文本</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 像素</translation>
    </message>
    <message>
        <source>Cells are vectors up to %L1 per figure</source>
        <translation>每幅图不超过 %L1 个单元格时，单元格为矢量</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>Copied to the clipboard</source>
        <translation>已复制到剪贴板</translation>
    </message>
    <message>
        <source>What kind of file is written</source>
        <translation>写入哪种文件</translation>
    </message>
    <message>
        <source>Colours for paper or for a dark slide</source>
        <translation>适合纸张或深色幻灯片的颜色</translation>
    </message>
    <message>
        <source>&amp;File format</source>
        <translation>文件格式(&amp;F)</translation>
    </message>
    <message>
        <source>Resolution (&amp;DPI)</source>
        <translation>分辨率 (&amp;DPI)</translation>
    </message>
    <message>
        <source>&amp;Background</source>
        <translation>背景(&amp;B)</translation>
    </message>
    <message>
        <source>Ca&amp;ption</source>
        <translation>说明文字(&amp;P)</translation>
    </message>
    <message>
        <source>Notes and the configuration below the maps</source>
        <translation>图下方的注释和配置</translation>
    </message>
    <message>
        <source>&amp;Numbers</source>
        <translation>数值(&amp;N)</translation>
    </message>
    <message>
        <source>The number of each cell, where it fits</source>
        <translation>每个单元格的数值，放得下时显示</translation>
    </message>
    <message>
        <source>Tri&amp;m margins</source>
        <translation>裁去空白边(&amp;M)</translation>
    </message>
    <message>
        <source>Cuts the empty margins beside the maps</source>
        <translation>裁去图旁边的空白</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Cancelling …</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>x, the weights, and every stage, with the configuration and the tokens: %1</source>
        <translation>x、权重和每个阶段，以及配置和词元：%1</translation>
    </message>
    <message>
        <source>One line or number for each of %L1 cells</source>
        <translation>%L1 个单元格各一行或一个数</translation>
    </message>
    <message>
        <source>The picture is still being computed</source>
        <translation>图像仍在计算</translation>
    </message>
    <message>
        <source>Builds the layer in PyTorch and asserts these weights; what no seed gives is read from a .npz file beside it</source>
        <translation>在 PyTorch 中构建该层并断言这些权重；种子无法给出的内容从旁边的 .npz 文件读取</translation>
    </message>
    <message>
        <source>Carry the s&amp;tate</source>
        <translation>携带状态(&amp;T)</translation>
    </message>
    <message>
        <source>The file can be dropped on the window, which then shows this again; it holds the text and the names of your files</source>
        <translation>把文件拖到窗口上即可再次显示此内容；其中含有文本和您的文件名</translation>
    </message>
</context>
<context>
    <name>headscope::FigurePreview</name>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
</context>
<context>
    <name>headscope::Fold</name>
    <message>
        <source>Collapse</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>Expand</source>
        <translation>展开</translation>
    </message>
</context>
<context>
    <name>headscope::Foot</name>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>The largest difference of an output between chunked and whole is %1.</source>
        <translation>分块与整体计算的输出最大相差 %1。</translation>
    </message>
    <message>
        <source>rows sum to 1 ✓</source>
        <translation>各行之和为 1 ✓</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 rows sum to 1</source>
        <translation>
            <numerusform>%2 行中有 %1 行之和为 1</numerusform>
        </translation>
    </message>
    <message>
        <source>Point at a cell to read it; click to lock it.</source>
        <translation>指向单元格即可读数；单击可锁定。</translation>
    </message>
    <message>
        <source>not computed</source>
        <translation>未计算</translation>
    </message>
    <message>
        <source>computing …</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>computed in %1 ms</source>
        <translation>计算用时 %1 ms</translation>
    </message>
    <message>
        <source>scores and weights %1</source>
        <translation>分数与权重 %1</translation>
    </message>
    <message>
        <source>scores and weights %1 whole · %2 in chunks of %3</source>
        <translation>分数与权重：整体 %1 · 按 %3 分块 %2</translation>
    </message>
    <message>
        <source>Memory of the scores and weights of one sequence, all heads: computed whole, and the most that is kept at a time in chunks.</source>
        <translation>一个序列所有头的分数与权重所占的内存：整体计算时，以及分块计算时同时保留的最大值。</translation>
    </message>
    <message>
        <source>Chunks of keys also keep a running maximum, a running sum and a context for each query, which takes more than so few tokens save.</source>
        <translation>对键分块时还要为每个查询保留滚动最大值、滚动和与上下文；词元这样少时，这比省下的更多。</translation>
    </message>
    <message>
        <source>%1 fully masked: zeros</source>
        <translation>%1 个全掩码行：零</translation>
    </message>
    <message>
        <source>%1 fully masked: NaN</source>
        <translation>%1 个全掩码行：NaN</translation>
    </message>
    <message>
        <source>%1 fully masked: uniform</source>
        <translation>%1 个全掩码行：均匀</translation>
    </message>
    <message>
        <source>%1 NaN or infinite</source>
        <translation>%1 行含 NaN 或无穷</translation>
    </message>
    <message>
        <source>Out of date: the picture shows the last legal settings.</source>
        <translation>已过时：图中是上一次合法的设置。</translation>
    </message>
    <message>
        <source>Rows, one for each query in each head: %1. Sum to 1 within what the precision allows: %2. Fully masked: %3. With an allowed key, but NaN or infinite: %4. Largest error of a sum: %5.</source>
        <translation>行数（每个头的每个查询一行）：%1。在精度允许内总和为 1：%2。全掩码行：%3。有允许的键却含 NaN 或无穷：%4。总和的最大误差：%5。</translation>
    </message>
    <message>
        <source>out of date</source>
        <translation>已过时</translation>
    </message>
    <message>
        <source>Time of the last computation.</source>
        <translation>上次计算的时间。</translation>
    </message>
    <message>
        <source>Time of the last computation. Computed: %1.</source>
        <translation>上次计算的时间。计算了：%1。</translation>
    </message>
    <message>
        <source>recorded weights %1 of %2</source>
        <translation>录制的权重 %1，共 %2</translation>
    </message>
    <message>
        <source>Bytes of the recording that are shown, one layer and sequence, and of all of it. Only what is shown is read.</source>
        <translation>所显示部分（一层、一个序列）和整个录制的字节数。只读取所显示的部分。</translation>
    </message>
    <message>
        <source>rows not counted</source>
        <translation>未统计行</translation>
    </message>
    <message>
        <source>coarse maps: %1% exact</source>
        <translation>粗略热力图：%1% 已精确</translation>
    </message>
    <message>
        <source>The scores and weights of so many tokens are not kept. The maps show a sample of the cells until the exact ones are computed. A hovered or locked cell is always exact.</source>
        <translation>这么多词元的注意力分数和权重不会保存。在精确值算出之前，热力图显示单元格的抽样。悬停或锁定的单元格始终是精确的。</translation>
    </message>
    <message>
        <source>coarse maps: %1% exact, the memory does not suffice</source>
        <translation>粗略热力图：%1% 已精确，内存不足</translation>
    </message>
    <message>
        <source>computing, %1% · Esc cancels</source>
        <translation>计算中，%1% · Esc 取消</translation>
    </message>
    <message>
        <source>rows and sinks sum to 1 ✓</source>
        <translation>各行与汇点之和为 1 ✓</translation>
    </message>
</context>
<context>
    <name>headscope::HeadCard</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>headscope::HeadDetails</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Shows this head on page Heads, with its tokens and numbers</source>
        <translation>在“头”页显示此头及其词元和数值</translation>
    </message>
    <message>
        <source>Click a head to see what it does; double-click to open it.</source>
        <translation>单击一个头查看它的作用；双击打开。</translation>
    </message>
</context>
<context>
    <name>headscope::HeadGrid</name>
    <message>
        <source>‹ All heads</source>
        <translation>‹ 所有头</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>labels: enlarge a head</source>
        <translation>标签：放大一个头可见</translation>
    </message>
    <message>
        <source>labels: 1 in %1</source>
        <translation>标签：每 %1 个显示 1 个</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>colours: range of a sample of the cells</source>
        <translation>颜色：单元格抽样的范围</translation>
    </message>
</context>
<context>
    <name>headscope::HeadTable</name>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Click to sort by number</source>
        <translation>单击按编号排序</translation>
    </message>
    <message>
        <source>role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>The role of a textbook head; click to sort</source>
        <translation>教科书式头的角色；单击排序</translation>
    </message>
    <message>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>Mean of weight times |query − key|, in tokens; the largest has a full bar. Click to sort</source>
        <translation>权重乘 |查询 − 键| 的平均值，以词元计；条形以最大者为满。单击排序</translation>
    </message>
    <message>
        <source>group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Similar heads; the number is the divergence at which a head joined those above it</source>
        <translation>相似的头；数值为一个头并入其上各头时的散度</translation>
    </message>
    <message>
        <source>Heads in numbers</source>
        <translation>各头的数值</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Mean over the rows, in bits: 0 = each query attends to one key, log2 of the number of tokens = at all alike. The bar goes to that. Click to sort</source>
        <translation>各行的平均值，单位为比特：0 = 每个查询只注意一个键，词元数的 log2 = 对所有键相同。条形以此为上限。点击排序</translation>
    </message>
</context>
<context>
    <name>headscope::HeadsPage</name>
    <message>
        <source>rows are tokens</source>
        <translation>行是词元</translation>
    </message>
    <message>
        <source>columns are dimensions</source>
        <translation>列是维度</translation>
    </message>
    <message>
        <source>rows are queries and sum to 1</source>
        <translation>行是查询，每行之和为 1</translation>
    </message>
    <message>
        <source>rows are queries</source>
        <translation>行是查询</translation>
    </message>
    <message>
        <source>columns are keys</source>
        <translation>列是键</translation>
    </message>
    <message>
        <source>hatched = masked</source>
        <translation>斜线 = 被掩码</translation>
    </message>
    <message>
        <source>◂ fully masked row</source>
        <translation>◂ 全掩码行</translation>
    </message>
    <message>
        <source>crossed = NaN</source>
        <translation>叉号 = NaN</translation>
    </message>
    <message>
        <source>click locks, wheel zooms</source>
        <translation>单击锁定，滚轮缩放</translation>
    </message>
    <message>
        <source>click locks, wheel zooms, double click shows all heads</source>
        <translation>单击锁定，滚轮缩放，双击显示所有头</translation>
    </message>
    <message>
        <source>click locks, double click enlarges</source>
        <translation>单击锁定，双击放大</translation>
    </message>
    <message>
        <source>recorded weights</source>
        <translation>录制的权重</translation>
    </message>
    <message>
        <source>recorded weights, renormalised under the mask</source>
        <translation>录制的权重，在掩码下重新归一化</translation>
    </message>
    <message>
        <source>rows are queries and sum to 1 with the sink</source>
        <translation>行为查询，与汇点之和为 1</translation>
    </message>
</context>
<context>
    <name>headscope::HeatMap</name>
    <message>
        <source>labels: enlarge a head</source>
        <translation>标签：放大一个头即可看到</translation>
    </message>
    <message>
        <source>labels: 1 in %1</source>
        <translation>标签：1/%1</translation>
    </message>
    <message>
        <source>1 pixel = largest of up to %1×%2 cells</source>
        <translation>1 像素 = 至多 %1×%2 个单元格的最大值</translation>
    </message>
    <message>
        <source>1 pixel = mean of up to %1×%2 cells</source>
        <translation>1 像素 = 至多 %1×%2 个单元格的平均值</translation>
    </message>
    <message>
        <source>The part in sight. Click or drag to move it.</source>
        <translation>可见的部分。单击或拖动即可移动。</translation>
    </message>
</context>
<context>
    <name>headscope::LayerChoice</name>
    <message>
        <source>embed_dim %1, num_heads not given</source>
        <translation>embed_dim %1，未给出 num_heads</translation>
    </message>
    <message numerus="yes">
        <source>%n heads</source>
        <translation>
            <numerusform>%n 个头</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key/value heads</source>
        <translation>
            <numerusform>%n 个键/值头</numerusform>
        </translation>
    </message>
    <message>
        <source>head_dim %1</source>
        <translation>head_dim %1</translation>
    </message>
    <message>
        <source>%1 · can&apos;t be computed</source>
        <translation>%1 · 无法计算</translation>
    </message>
    <message>
        <source>%1 · recorded</source>
        <translation>%1 · 录制</translation>
    </message>
</context>
<context>
    <name>headscope::LayerList</name>
    <message>
        <source>Switch this layer off; keeps it in the list</source>
        <translation>关闭此层；仍保留在列表中</translation>
    </message>
    <message>
        <source>Switch this layer on</source>
        <translation>打开此层</translation>
    </message>
    <message>
        <source>This layer masks the cell</source>
        <translation>此层掩码该单元格</translation>
    </message>
    <message numerus="yes">
        <source>Layers: %1 of %2 cells allowed</source>
        <translation>
            <numerusform>掩码层：%2 个单元格中允许 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>掩码层</translation>
    </message>
    <message>
        <source>No layer: every query can attend to every key.</source>
        <translation>没有掩码层：每个查询可以注意每个键。</translation>
    </message>
</context>
<context>
    <name>headscope::LayerSection</name>
    <message>
        <source>LAYER</source>
        <translation>层</translation>
    </message>
    <message>
        <source>em&amp;bed_dim</source>
        <translation>em&amp;bed_dim</translation>
    </message>
    <message>
        <source>How many numbers describe a token (E). They are divided among the heads, so num_heads must divide it. The arrow keys step through the multiples of num_heads.</source>
        <translation>描述一个词元用多少个数（E）。它们由各头平分，因此必须能被 num_heads 整除。方向键在 num_heads 的倍数之间切换。</translation>
    </message>
    <message>
        <source>&amp;num_heads</source>
        <translation>&amp;num_heads</translation>
    </message>
    <message>
        <source>How many heads attend in parallel (H). The list and the arrow keys offer the divisors of embed_dim; 1 is single-head attention.</source>
        <translation>有多少个头并行计算注意力（H）。列表和方向键给出 embed_dim 的约数；1 即单头注意力。</translation>
    </message>
    <message>
        <source>head_dim</source>
        <translation>head_dim</translation>
    </message>
    <message>
        <source>How many numbers each head uses (Dh): embed_dim / num_heads.</source>
        <translation>每个头处理多少个数（Dh）：embed_dim / num_heads。</translation>
    </message>
    <message>
        <source>not whole</source>
        <translation>不是整数</translation>
    </message>
    <message>
        <source>%1 = %2 / %3</source>
        <translation>%1 = %2 / %3</translation>
    </message>
</context>
<context>
    <name>headscope::LessonPanel</name>
    <message>
        <source>Leave the lesson</source>
        <translation>离开课程</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>The previous step (←)</source>
        <translation>上一步（←）</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>The next step (Space, →)</source>
        <translation>下一步（空格、→）</translation>
    </message>
    <message>
        <source>Restore this step</source>
        <translation>恢复此步骤</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Shows the parts of the window that the lesson hides</source>
        <translation>显示课程隐藏的窗口部分</translation>
    </message>
    <message>
        <source>Steps of the lesson</source>
        <translation>课程步骤</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Leaves the lesson (Esc) and restores the view from before it</source>
        <translation>离开课程（Esc），并恢复课程之前的显示</translation>
    </message>
    <message>
        <source>Restores the state of the step, which was changed since the step was opened</source>
        <translation>打开此步骤后状态已改变：恢复此步骤的状态</translation>
    </message>
</context>
<context>
    <name>headscope::LessonRun</name>
    <message>
        <source>lesson “%1”</source>
        <translation>课程“%1”</translation>
    </message>
    <message>
        <source>step %1 of the lesson</source>
        <translation>课程第 %1 步</translation>
    </message>
    <message>
        <source>leave the lesson</source>
        <translation>离开课程</translation>
    </message>
    <message>
        <source>restore the step</source>
        <translation>恢复步骤</translation>
    </message>
    <message>
        <source>add a step to the lesson</source>
        <translation>向课程添加步骤</translation>
    </message>
</context>
<context>
    <name>headscope::MainWindow</name>
    <message>
        <source>What is shown</source>
        <translation>显示内容</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开的文件(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Copy picture</source>
        <translation>复制图片(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Print…</source>
        <translation>打印(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Start over</source>
        <translation>重新开始(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Stage</source>
        <translation>阶段(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Mask</source>
        <translation>掩码(&amp;M)</translation>
    </message>
    <message>
        <source>Colour s&amp;cale</source>
        <translation>色阶(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;0 to 1</source>
        <translation>&amp;0 到 1</translation>
    </message>
    <message>
        <source>Per &amp;head</source>
        <translation>按头(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Shared</source>
        <translation>共用(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Logarithmic</source>
        <translation>对数(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Palette</source>
        <translation>调色板(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Viridis</source>
        <translation>&amp;Viridis</translation>
    </message>
    <message>
        <source>&amp;Cividis</source>
        <translation>&amp;Cividis</translation>
    </message>
    <message>
        <source>&amp;Magma</source>
        <translation>&amp;Magma</translation>
    </message>
    <message>
        <source>&amp;Greys</source>
        <translation>灰度(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Diverging</source>
        <translation>发散(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;All heads</source>
        <translation>所有头(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>Pain&amp;t…</source>
        <translation>绘制(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Fill of masked cells</source>
        <translation>被掩码单元格的填充值(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keyboard</source>
        <translation>键盘(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About HeadScope</source>
        <translation>关于 HeadScope(&amp;A)</translation>
    </message>
    <message>
        <source>arrows	move the locked cell</source>
        <translation>方向键	移动锁定的单元格</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>键盘</translation>
    </message>
    <message>
        <source>About HeadScope</source>
        <translation>关于 HeadScope</translation>
    </message>
    <message>
        <source>&lt;h3&gt;HeadScope %1&lt;/h3&gt;&lt;p&gt;See what each head of a multi-head attention layer attends to, computed exactly as PyTorch does.&lt;/p&gt;&lt;p&gt;Built with Qt %2, QCustomPlot, Eigen, oneDNN, Highway, fmt, nlohmann-json and libzip.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later, without any warranty.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;HeadScope %1&lt;/h3&gt;&lt;p&gt;看清多头注意力层中每个头在注意什么，计算与 PyTorch 完全一致。&lt;/p&gt;&lt;p&gt;使用 Qt %2、QCustomPlot、Eigen、oneDNN、Highway、fmt、nlohmann-json 和 libzip 构建。&lt;/p&gt;&lt;p&gt;自由软件，采用 GNU 通用公共许可证第 3 版或更高版本，不附带任何担保。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&amp;The system&apos;s</source>
        <translation>跟随系统(&amp;T)</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>The picture is on the clipboard.</source>
        <translation>图片已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Compare A and &amp;B</source>
        <translation>比较 A 与 B(&amp;B)</translation>
    </message>
    <message>
        <source>Sp&amp;eed and memory…</source>
        <translation>速度与内存(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Hide or show all panels</source>
        <translation>隐藏或显示所有面板(&amp;H)</translation>
    </message>
    <message>
        <source>arrows	move the cell cursor, with Shift they paint</source>
        <translation>方向键	移动单元格光标，按住 Shift 则绘制</translation>
    </message>
    <message>
        <source>Some settings can&apos;t be used and are the defaults again. The old ones are in %1</source>
        <translation>部分设置无法使用，已恢复为默认值。旧的设置保存在 %1</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Atlas</source>
        <translation>图集</translation>
    </message>
    <message>
        <source>example “%1”</source>
        <translation>示例“%1”</translation>
    </message>
    <message>
        <source>In a map of a head:</source>
        <translation>在一个头的图中:</translation>
    </message>
    <message>
        <source>Enter	enlarge the head, Esc: all heads</source>
        <translation>Enter	放大该头，Esc：所有头</translation>
    </message>
    <message>
        <source>Space	lock or unlock</source>
        <translation>空格	锁定或解锁</translation>
    </message>
    <message>
        <source>On page Mask:</source>
        <translation>在“掩码”页:</translation>
    </message>
    <message>
        <source>Space	paint here with the chosen brush</source>
        <translation>空格	用所选画笔在此绘制</translation>
    </message>
    <message>
        <source>Enter	lock the cell, Esc: undo the stroke</source>
        <translation>Enter	锁定单元格，Esc：撤销这一笔</translation>
    </message>
    <message>
        <source>E&amp;xamples…</source>
        <translation>示例(&amp;X)…</translation>
    </message>
    <message>
        <source>The two sentences, the settings and the page of the first start</source>
        <translation>首次启动时的两个句子、设置和页面</translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation>放大文字(&amp;L)</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>缩小文字(&amp;M)</translation>
    </message>
    <message>
        <source>La&amp;nguage (after restart)</source>
        <translation>语言(重启后生效)(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Safe: −inf, fully masked rows get zeros</source>
        <translation>Safe:−inf，全掩码行为零(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Raw −inf: fully masked rows become NaN</source>
        <translation>原始 −inf：全掩码行变为 NaN(&amp;R)</translation>
    </message>
    <message>
        <source>−1e9: fully masked rows become &amp;uniform</source>
        <translation>−1e9：全掩码行变为均匀(&amp;U)</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Lessons that explain attention step by step, on the present sentence</source>
        <translation>在当前句子上逐步解释注意力的课程</translation>
    </message>
    <message>
        <source>&amp;Open lesson file…</source>
        <translation>打开课程文件(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Next step</source>
        <translation>下一步(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous step</source>
        <translation>上一步(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Leave the lesson</source>
        <translation>离开课程(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Add this view as a step…</source>
        <translation>将此视图添加为步骤(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Save lesson…</source>
        <translation>保存课程(&amp;S)…</translation>
    </message>
    <message>
        <source>Open lesson file</source>
        <translation>打开课程文件</translation>
    </message>
    <message>
        <source>Lessons (*.json);;All files (*)</source>
        <translation>课程 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Add this view as a step</source>
        <translation>将此视图添加为步骤</translation>
    </message>
    <message>
        <source>Two sentences. {weight} is the weight of the locked cell, {token} its query; docs/lessons.md lists all of them.</source>
        <translation>两句话。{weight} 是锁定单元格的权重，{token} 是它的查询；docs/lessons.md 列出了全部占位符。</translation>
    </message>
    <message>
        <source>&amp;Title</source>
        <translation>标题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Sentences</source>
        <translation>句子(&amp;S)</translation>
    </message>
    <message>
        <source>My lesson</source>
        <translation>我的课程</translation>
    </message>
    <message>
        <source>Save lesson</source>
        <translation>保存课程</translation>
    </message>
    <message>
        <source>The lesson is saved in %1</source>
        <translation>课程已保存到 %1</translation>
    </message>
    <message>
        <source>Less&amp;on</source>
        <translation>课程(&amp;O)</translation>
    </message>
    <message>
        <source>P&amp;resent full screen</source>
        <translation>全屏演示(&amp;R)</translation>
    </message>
    <message>
        <source>Open model folder</source>
        <translation>打开模型文件夹</translation>
    </message>
    <message>
        <source>Open &amp;model folder…</source>
        <translation>打开模型文件夹(&amp;M)…</translation>
    </message>
    <message>
        <source>A folder with config.json and the safetensors files of a model, whose layers are listed</source>
        <translation>含有 config.json 和模型 safetensors 文件的文件夹，会列出其中的层</translation>
    </message>
    <message>
        <source>&amp;Go to token…</source>
        <translation>转到词元(&amp;G)…</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Save session</source>
        <translation>保存会话(&amp;S)</translation>
    </message>
    <message>
        <source>Save session &amp;as…</source>
        <translation>会话另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>Sessions (*.headscope)</source>
        <translation>会话 (*.headscope)</translation>
    </message>
    <message>
        <source>The session is saved in %1</source>
        <translation>会话已保存到 %1</translation>
    </message>
    <message>
        <source>HeadScope ended unexpectedly. Its last state, of %1, was saved; restore it?</source>
        <translation>HeadScope 意外结束。它在 %1 的最后状态已保存；要恢复吗？</translation>
    </message>
    <message>
        <source>&amp;Restore</source>
        <translation>恢复(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>放弃(&amp;D)</translation>
    </message>
    <message>
        <source>restore the last state</source>
        <translation>恢复最后状态</translation>
    </message>
    <message>
        <source>Weights, sessions and pictures (*.safetensors *.npz *.index.json *.headscope *.png *.svg *.pdf);;All files (*)</source>
        <translation>权重、会话和图片 (*.safetensors *.npz *.index.json *.headscope *.png *.svg *.pdf);;所有文件 (*)</translation>
    </message>
    <message>
        <source>A weights file, recorded attention, a session, or a picture that carries one</source>
        <translation>权重文件、录制的注意力、会话，或携带会话的图片</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
</context>
<context>
    <name>headscope::MaskGrid</name>
    <message>
        <source>Mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Drag to toggle whole rows.</source>
        <translation>拖动可切换整行。</translation>
    </message>
    <message>
        <source>Drag to toggle whole columns.</source>
        <translation>拖动可切换整列。</translation>
    </message>
</context>
<context>
    <name>headscope::MaskLab</name>
    <message>
        <source>Heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>What each head makes of the mask</source>
        <translation>每个头在此掩码下的结果</translation>
    </message>
    <message>
        <source>PyTorch</source>
        <translation>PyTorch</translation>
    </message>
    <message>
        <source>The mask in the three conventions, as code</source>
        <translation>三种约定下的掩码代码</translation>
    </message>
    <message>
        <source>Beside the mask</source>
        <translation>掩码旁边</translation>
    </message>
    <message>
        <source>Load a mask</source>
        <translation>载入掩码</translation>
    </message>
    <message>
        <source>Save the mask</source>
        <translation>保存掩码</translation>
    </message>
    <message>
        <source>JSON (*.json);;CSV (*.csv);;NumPy (*.npy)</source>
        <translation>JSON (*.json);;CSV (*.csv);;NumPy (*.npy)</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>What is wrong with the mask, or which expression it is</source>
        <translation>掩码有什么错误，或它是哪个表达式</translation>
    </message>
    <message>
        <source>Reach</source>
        <translation>可达</translation>
    </message>
    <message>
        <source>What a query depends on after several layers with this mask</source>
        <translation>在使用此掩码的若干层之后，一个查询依赖于哪些词元</translation>
    </message>
</context>
<context>
    <name>headscope::MaskNotes</name>
    <message>
        <source>safe</source>
        <translation>安全</translation>
    </message>
    <message>
        <source>−∞; a fully masked row becomes zeros</source>
        <translation>−∞；全掩码行置零</translation>
    </message>
    <message>
        <source>raw −∞</source>
        <translation>原始 −∞</translation>
    </message>
    <message>
        <source>A fully masked row becomes NaN</source>
        <translation>全掩码行变为 NaN</translation>
    </message>
    <message>
        <source>−1e9</source>
        <translation>−1e9</translation>
    </message>
    <message>
        <source>A fully masked row becomes uniform</source>
        <translation>全掩码行变为均匀分布</translation>
    </message>
    <message>
        <source>Fill of masked cells</source>
        <translation>被掩码单元格的填充值</translation>
    </message>
    <message>
        <source>Drag over cells to toggle them; Shift and drag for a rectangle; drag along the labels for rows and columns.</source>
        <translation>在单元格上拖动以切换；按住 Shift 拖动画矩形；沿标签拖动选整行整列。</translation>
    </message>
    <message>
        <source>Painting can&apos;t allow it: switch that layer off, or start from the present mask.</source>
        <translation>绘制无法允许它：请关闭那一层，或从当前掩码开始。</translation>
    </message>
    <message>
        <source>A mask can be painted for %1 tokens at most, but there are %2. Write its expression in the parameters.</source>
        <translation>最多只能为 %1 个词元绘制掩码，而现在有 %2 个。请在参数中写表达式。</translation>
    </message>
    <message>
        <source>The expression in the parameters is not legal. This is the mask of the picture; painting continues from it.</source>
        <translation>参数中的表达式无法使用。这里是当前图片的掩码；绘制将从它开始。</translation>
    </message>
    <message>
        <source>. Their weights are 0.</source>
        <translation>。它们的权重为 0。</translation>
    </message>
    <message>
        <source>. Their weights are NaN.</source>
        <translation>。它们的权重为 NaN。</translation>
    </message>
    <message>
        <source>. They give each key 1/%1.</source>
        <translation>。它们给每个键 1/%1。</translation>
    </message>
    <message>
        <source>While the reach is shown, a click locks a pair; the mask is painted beside Heads, PyTorch and Check.</source>
        <translation>显示可达范围时，单击会锁定一对；在“头”、“PyTorch”和“检查”旁可绘制掩码。</translation>
    </message>
    <message>
        <source>This is the mask of head %1 (%2), also for painting. Enlarge another head to see its mask.</source>
        <translation>这是头 %1（%2）的掩码，绘制也作用于它。放大另一个头可查看其掩码。</translation>
    </message>
</context>
<context>
    <name>headscope::MaskPainter</name>
    <message>
        <source>stroke on the mask</source>
        <translation>绘制掩码</translation>
    </message>
    <message>
        <source>invert the mask</source>
        <translation>反转掩码</translation>
    </message>
    <message>
        <source>transpose the mask</source>
        <translation>转置掩码</translation>
    </message>
    <message>
        <source>allow all cells</source>
        <translation>允许所有单元格</translation>
    </message>
    <message>
        <source>mask all cells</source>
        <translation>掩码所有单元格</translation>
    </message>
    <message>
        <source>allow the diagonal</source>
        <translation>允许对角线</translation>
    </message>
    <message>
        <source>mask the diagonal</source>
        <translation>掩码对角线</translation>
    </message>
    <message>
        <source>paint on the present mask</source>
        <translation>在当前掩码上绘制</translation>
    </message>
    <message>
        <source>paint on %1</source>
        <translation>在“%1”上绘制</translation>
    </message>
    <message>
        <source>switch a layer on</source>
        <translation>打开一层</translation>
    </message>
    <message>
        <source>switch a layer off</source>
        <translation>关闭一层</translation>
    </message>
    <message>
        <source>load a mask</source>
        <translation>载入掩码</translation>
    </message>
</context>
<context>
    <name>headscope::MaskSection</name>
    <message>
        <source>MASK</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>sparse pattern</source>
        <translation>稀疏模式</translation>
    </message>
    <message>
        <source>Sp&amp;arse</source>
        <translation>稀疏(&amp;A)</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose a mask file</source>
        <translation>选择掩码文件</translation>
    </message>
    <message>
        <source>Paint…</source>
        <translation>绘制…</translation>
    </message>
    <message>
        <source>Paint the mask</source>
        <translation>绘制掩码</translation>
    </message>
    <message>
        <source>Opens the mask editor</source>
        <translation>打开掩码编辑器</translation>
    </message>
    <message>
        <source>f&amp;ill</source>
        <translation>填充值(&amp;I)</translation>
    </message>
    <message>
        <source>safe (−inf)</source>
        <translation>安全 (−inf)</translation>
    </message>
    <message>
        <source>raw −inf</source>
        <translation>原始 −inf</translation>
    </message>
    <message>
        <source>−1e9</source>
        <translation>−1e9</translation>
    </message>
    <message>
        <source>Open a mask</source>
        <translation>打开掩码</translation>
    </message>
    <message>
        <source>Choose a JSON, CSV or npy file</source>
        <translation>选择 JSON、CSV 或 npy 文件</translation>
    </message>
    <message>
        <source>A query attends to a sparse pattern of keys; the pattern and its numbers are on the right.</source>
        <translation>查询注意稀疏模式中的键；模式及其数值在右侧。</translation>
    </message>
    <message>
        <source>E&amp;xpression</source>
        <translation>表达式(&amp;X)</translation>
    </message>
    <message>
        <source>The value of a masked score before the softmax. It decides what becomes of a fully masked row.</source>
        <translation>softmax 之前被掩码的分数的值。它决定全掩码行会怎样。</translation>
    </message>
    <message>
        <source>Set by the expression, beside other patterns. A click removes it.</source>
        <translation>由表达式设定，与其他模式并用。单击可去除。</translation>
    </message>
    <message numerus="yes">
        <source>%n queries have no key to attend to</source>
        <translation>
            <numerusform>%n 个查询没有可注意的键</numerusform>
        </translation>
    </message>
    <message>
        <source>Masked scores are −∞; a fully masked row becomes zeros.</source>
        <translation>被掩码的分数为 −∞；全掩码行变为零。</translation>
    </message>
    <message>
        <source>Masked scores are −∞; a fully masked row becomes NaN.</source>
        <translation>被掩码的分数为 −∞；全掩码行变为 NaN。</translation>
    </message>
    <message>
        <source>Masked scores are −∞, for %1 has no −1e9; a fully masked row becomes NaN.</source>
        <translation>被掩码的分数为 −∞，因为 %1 无法表示 −1e9；全掩码行变为 NaN。</translation>
    </message>
    <message>
        <source>Masked scores are %1; a fully masked row becomes uniform.</source>
        <translation>被掩码的分数为 %1；全掩码行变为均匀分布。</translation>
    </message>
    <message>
        <source>Sequence %1 has no [PAD]; sequence %2 has: click its dot.</source>
        <translation>序列 %1 没有 [PAD]；序列 %2 有：请点击它前面的圆点。</translation>
    </message>
    <message>
        <source>%1 of %2 allowed</source>
        <translation>允许 %1 / %2</translation>
    </message>
    <message>
        <source>Layers joined by “,” must all allow a cell; in a layer, of patterns joined by “+” one must: causal,local:4:0+global:1. Patterns: %1 (JSON, CSV or npy); or none. Rules of the scores: %2. By head: head 0-3: causal; other heads: causal,alibi.</source>
        <translation>以“,”连接的层必须都允许一个单元格；层中以“+”连接的模式只需一个允许：causal,local:4:0+global:1。模式：%1（JSON、CSV 或 npy）；或 none。分数的规则：%2。按头：head 0-3: causal; other heads: causal,alibi。</translation>
    </message>
    <message numerus="yes">
        <source>In a head, %n queries have no key to attend to</source>
        <translation>
            <numerusform>某个头中，%n 个查询没有可注意的键</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>By head: edit the expression, or paint.</source>
        <translation>按头：请编辑表达式，或绘制。</translation>
    </message>
</context>
<context>
    <name>headscope::OutOfDate</name>
    <message>
        <source>Not computed: %1. The picture shows the last legal settings.</source>
        <translation>未计算：%1。图中仍是上一次有效设置的结果。</translation>
    </message>
</context>
<context>
    <name>headscope::PaintBar</name>
    <message>
        <source>Cells</source>
        <translation>单元格</translation>
    </message>
    <message>
        <source>Drag over cells to paint them</source>
        <translation>在单元格上拖动以绘制</translation>
    </message>
    <message>
        <source>Rectangle</source>
        <translation>矩形</translation>
    </message>
    <message>
        <source>Drag from corner to corner (Shift and drag does the same)</source>
        <translation>从一角拖到对角（按住 Shift 拖动效果相同）</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Whole rows: the keys that a query can attend to (dragging along the row labels does the same)</source>
        <translation>整行：一个查询可以注意的键（沿行标签拖动效果相同）</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Whole columns: the queries that can attend to a key (dragging along the column labels does the same)</source>
        <translation>整列：可以注意一个键的查询（沿列标签拖动效果相同）</translation>
    </message>
    <message>
        <source>What a stroke covers</source>
        <translation>一笔覆盖的范围</translation>
    </message>
    <message>
        <source>Toggle</source>
        <translation>切换</translation>
    </message>
    <message>
        <source>A stroke that begins on an allowed cell masks; on a masked cell it allows</source>
        <translation>从允许的单元格起笔则掩码，从被掩码的起笔则允许</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Every stroke allows</source>
        <translation>每一笔都设为允许</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Every stroke masks</source>
        <translation>每一笔都设为掩码</translation>
    </message>
    <message>
        <source>What a stroke does</source>
        <translation>一笔的效果</translation>
    </message>
    <message>
        <source>Start from</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>Put a known mask in the painted layer and change it from there</source>
        <translation>把已知的掩码放入手绘层，再在其上修改</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>修改</translation>
    </message>
    <message>
        <source>Changes of the whole painted layer</source>
        <translation>对整个手绘层的修改</translation>
    </message>
    <message>
        <source>Load…</source>
        <translation>载入…</translation>
    </message>
    <message>
        <source>Read the painted layer from a file: S×S of 0 and 1, as JSON, CSV or npy</source>
        <translation>从文件读取手绘层：S×S 个 0 和 1，JSON、CSV 或 npy 格式</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Write the mask as it stands, all layers together, as JSON, CSV or npy</source>
        <translation>把当前掩码（所有层合并）写成 JSON、CSV 或 npy</translation>
    </message>
    <message>
        <source>The &amp;present mask</source>
        <translation>当前掩码(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Invert</source>
        <translation>反转(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Transpose</source>
        <translation>转置(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Allow all cells</source>
        <translation>允许所有单元格(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Mask all cells</source>
        <translation>掩码所有单元格(&amp;M)</translation>
    </message>
    <message>
        <source>Allow the &amp;diagonal</source>
        <translation>允许对角线(&amp;D)</translation>
    </message>
    <message>
        <source>Mask the dia&amp;gonal</source>
        <translation>掩码对角线(&amp;G)</translation>
    </message>
    <message>
        <source>What all layers together allow, as one painted layer; the layers are switched off, so that every cell can be allowed and masked. Padding stays a layer where it differs from sequence to sequence.</source>
        <translation>把所有掩码层共同允许的单元格合为一个手绘层；各层随即关闭，每个单元格都可允许或掩码。各序列的填充不同时，填充仍单独为一层。</translation>
    </message>
</context>
<context>
    <name>headscope::ParameterPanel</name>
    <message>
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Restores the sentences and the settings of the first start. It can be undone.</source>
        <translation>恢复首次启动时的句子和设置。可以撤销。</translation>
    </message>
    <message>
        <source>MORE</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>not used: the weights are recorded</source>
        <translation>不使用：权重来自录制</translation>
    </message>
</context>
<context>
    <name>headscope::PrecisionTable</name>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>The same request in each; the one in use is bold</source>
        <translation>各精度下的同一计算；正在使用的为粗体</translation>
    </message>
    <message>
        <source>cell</source>
        <translation>单元格</translation>
    </message>
    <message>
        <source>largest error</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>mean error</source>
        <translation>平均误差</translation>
    </message>
    <message>
        <source>Overflow: cells that are infinite here and finite in float64</source>
        <translation>上溢：在此为无穷大而在 float64 中有限的单元格</translation>
    </message>
    <message>
        <source>Underflow: cells that are 0 here and not in float64</source>
        <translation>下溢：在此为 0 而在 float64 中不为 0 的单元格</translation>
    </message>
    <message>
        <source>Cells that are NaN here or in float64, but not in both</source>
        <translation>仅在此处或仅在 float64 中为 NaN 的单元格</translation>
    </message>
    <message>
        <source>−1e9 is</source>
        <translation>−1e9 变为</translation>
    </message>
    <message>
        <source>Errors of the precisions</source>
        <translation>各精度的误差</translation>
    </message>
    <message>
        <source>(%1, %2)</source>
        <translation>(%1, %2)</translation>
    </message>
    <message>
        <source>query %1, key %2</source>
        <translation>查询 %1，键 %2</translation>
    </message>
    <message>
        <source>The number of the hovered cell, or of the locked one, as each precision holds it</source>
        <translation>鼠标所指或锁定的单元格在各精度下的数值</translation>
    </message>
    <message>
        <source>Largest distance from float64 in an allowed cell, and its query and key; click it to lock that cell</source>
        <translation>允许的单元格中与 float64 的最大距离及其查询和键；点击可锁定该单元格</translation>
    </message>
    <message>
        <source>Mean distance from float64 over the allowed cells</source>
        <translation>允许的单元格与 float64 的平均距离</translation>
    </message>
    <message>
        <source>What the fill value −1e9 becomes in each precision</source>
        <translation>填充值 −1e9 在各精度下变成什么</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参照</translation>
    </message>
    <message numerus="yes">
        <source>%1 in query %2, key %3, of %4 cells that are allowed and finite</source>
        <translation>
            <numerusform>%1，位于查询 %2、键 %3，共 %4 个允许且有限的单元格</numerusform>
        </translation>
    </message>
    <message>
        <source>not computed</source>
        <translation>未计算</translation>
    </message>
</context>
<context>
    <name>headscope::PrecisionView</name>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>The head whose numbers are compared</source>
        <translation>比较哪个头的数值</translation>
    </message>
    <message>
        <source>scores</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>Compare the scaled scores, before the mask</source>
        <translation>比较缩放后、掩码前的分数</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Compare the weights, after the softmax</source>
        <translation>比较 softmax 之后的权重</translation>
    </message>
    <message>
        <source>computing in four precisions …</source>
        <translation>正在以四种精度计算…</translation>
    </message>
    <message>
        <source>Computing in float64, float32, bfloat16 and float16 …</source>
        <translation>正在以 float64、float32、bfloat16 和 float16 计算…</translation>
    </message>
    <message>
        <source>here %1</source>
        <translation>此处 %1</translation>
    </message>
    <message>
        <source>± %1</source>
        <translation>± %1</translation>
    </message>
    <message>
        <source>each map: its precision minus float64, from minus to plus its own largest error · ▲ overflow · ▼ underflow · ✕ NaN · hatched cells are masked and not counted</source>
        <translation>每幅图：该精度减 float64，从负到正各自的最大误差 · ▲ 上溢 · ▼ 下溢 · ✕ NaN · 阴影单元格被掩码，不计入</translation>
    </message>
    <message>
        <source>Precisions compared</source>
        <translation>精度比较</translation>
    </message>
    <message>
        <source>not computed</source>
        <translation>未计算</translation>
    </message>
</context>
<context>
    <name>headscope::PredictionBars</name>
    <message>
        <source>Predicted weights</source>
        <translation>预测的权重</translation>
    </message>
    <message>
        <source>%1: %2%</source>
        <translation>%1：%2%</translation>
    </message>
    <message>
        <source>%1: predicted %2%, weight %3%</source>
        <translation>%1：预测 %2%，权重 %3%</translation>
    </message>
</context>
<context>
    <name>headscope::Presentation</name>
    <message>
        <source>Presentation</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>Step %1 of %2 · %3</source>
        <translation>第 %1 步，共 %2 步 · %3</translation>
    </message>
    <message>
        <source>Head %1, %2</source>
        <translation>头 %1，%2</translation>
    </message>
    <message>
        <source>Rows are queries, columns are keys.</source>
        <translation>行是查询，列是键。</translation>
    </message>
    <message>
        <source>Rows are tokens, columns are dimensions.</source>
        <translation>行是词元，列是维度。</translation>
    </message>
    <message>
        <source>%1 attends to %2 of %3 keys</source>
        <translation>%1 注意 %3 个键中的 %2 个</translation>
    </message>
    <message>
        <source>%1 attends to %2</source>
        <translation>%1 注意 %2</translation>
    </message>
    <message>
        <source>P pen · S spotlight · Esc leaves</source>
        <translation>P 画笔 · S 聚光 · Esc 离开</translation>
    </message>
    <message>
        <source>Answer: %1</source>
        <translation>答案：%1</translation>
    </message>
    <message>
        <source>Enter answer · Space next · Esc leaves</source>
        <translation>回车 答案 · 空格 下一步 · Esc 离开</translation>
    </message>
    <message>
        <source>Space next · P pen · S spotlight · Esc leaves</source>
        <translation>空格 下一步 · P 画笔 · S 聚光 · Esc 离开</translation>
    </message>
</context>
<context>
    <name>headscope::ProblemNote</name>
    <message>
        <source>Set %1 to %2</source>
        <translation>将 %1 设为 %2</translation>
    </message>
    <message>
        <source>Set %1 to %2 (Enter in its field does the same)</source>
        <translation>将 %1 设为 %2（在其输入框中按 Enter 效果相同）</translation>
    </message>
</context>
<context>
    <name>headscope::PythonServer</name>
    <message>
        <source>a request has more than %L1 bytes</source>
        <translation>请求超过 %L1 字节</translation>
    </message>
    <message>
        <source>this is not a request of version 1: one line of JSON with &quot;headscope&quot;: 1, as headscope.py of this program writes it</source>
        <translation>这不是版本 1 的请求：应为一行 JSON，含 &quot;headscope&quot;: 1，如本程序的 headscope.py 所写</translation>
    </message>
    <message>
        <source>&quot;file&quot; is &apos;%1&apos;; it must be the whole path of a file</source>
        <translation>&quot;file&quot; 是“%1”；必须是文件的完整路径</translation>
    </message>
    <message>
        <source>open %1 from Python</source>
        <translation>从 Python 打开 %1</translation>
    </message>
    <message>
        <source>There is no picture yet: type a text first</source>
        <translation>还没有图片；请先输入文本</translation>
    </message>
    <message>
        <source>a mask of %L1 tokens is not given; %L2 at most</source>
        <translation>不提供 %L1 个 token 的掩码；最多 %L2 个</translation>
    </message>
    <message>
        <source>the request &apos;%1&apos; is unknown</source>
        <translation>未知的请求“%1”</translation>
    </message>
</context>
<context>
    <name>headscope::ReachLegend</name>
    <message>
        <source>A cell&apos;s number and colour: the fewest layers after which the query depends on the key</source>
        <translation>单元格的数字和颜色：查询最少经过几层后依赖于该键</translation>
    </message>
    <message>
        <source>leak</source>
        <translation>泄漏</translation>
    </message>
    <message numerus="yes">
        <source>1 to %n layers: the fewer, the stronger the colour</source>
        <translation>
            <numerusform>1 到 %n 层：层数越少，颜色越醒目</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope::ReachPanel</name>
    <message>
        <source>Number of layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>How many layers with this mask follow each other. A query depends on a key if a path of allowed cells, one for each layer, leads to it.</source>
        <translation>有多少层依次使用此掩码。如果有一条由允许的单元格组成的路径（每层一个）通向某个键，查询就依赖于它。</translation>
    </message>
    <message numerus="yes">
        <source>%1 depends on %2 of %3 tokens after %n layers; layer by layer: %4.</source>
        <translation>
            <numerusform>%n 层之后，%1 依赖于 %3 个词元中的 %2 个；逐层：%4。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 does not reach %2, not even after %n layers.</source>
        <translation>
            <numerusform>即使经过 %n 层，%1 也到不了 %2。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 reaches %2 only after %n layers.</source>
        <translation>
            <numerusform>%1 要经过 %n 层才能到达 %2。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n layers.</source>
        <comment>a path of tokens</comment>
        <translation>
            <numerusform>%1：%n 层。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pairs leak: %1 forbids them at any depth. The first is %2 → %3.</source>
        <translation>
            <numerusform>%n 对泄漏：%1 在任何深度都禁止它们。第一对是 %2 → %3。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layers</source>
        <translation>
            <numerusform>%n 层</numerusform>
        </translation>
    </message>
    <message>
        <source>Point at a cell for the path from its query to its key; a click keeps it.</source>
        <translation>指向一个单元格，可看到从其查询到其键的路径；单击可保留。</translation>
    </message>
    <message>
        <source>No layer of this mask forbids pairs at any depth, as causal, padding, documents and block do. State what was meant under Check to find leaks.</source>
        <translation>此掩码没有在任何深度都禁止词元对的掩码层（如因果、填充、文档、分组）。请在“检查”中写明本意，以查找泄漏。</translation>
    </message>
    <message numerus="yes">
        <source>No pair leaks: after %n layers, no query depends on a key that %1 forbids at any depth.</source>
        <translation>
            <numerusform>没有泄漏：%n 层之后，没有查询依赖于 %1 在任何深度都禁止的键。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope::RecordDialog</name>
    <message>
        <source>Record x in Python</source>
        <translation>用 Python 录制 x</translation>
    </message>
    <message>
        <source>These lines run the model on a text and save layer.safetensors: the input x of this layer, its weights and the tokens. Open that file here.</source>
        <translation>这些代码在一段文本上运行模型，并保存 layer.safetensors：此层的输入 x、它的权重和词元。请在此打开该文件。</translation>
    </message>
    <message>
        <source>Python lines</source>
        <translation>Python 代码</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copies the Python lines</source>
        <translation>复制 Python 代码</translation>
    </message>
</context>
<context>
    <name>headscope::RecordedView</name>
    <message>
        <source>by layer</source>
        <translation>按层</translation>
    </message>
    <message>
        <source>by name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>by %1</source>
        <translation>按%1</translation>
    </message>
    <message>
        <source>The order of the heads: by layer, by their names, or by one measure, largest first</source>
        <translation>头的顺序：按层、按名称，或按一个指标从大到小</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Heads read</source>
        <translation>已读取的头</translation>
    </message>
    <message>
        <source>Atlas of the recording</source>
        <translation>录制的图集</translation>
    </message>
    <message>
        <source>Shows these heads alone: %1</source>
        <translation>只显示这些头：%1</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Stops reading the recording; the heads that were read stay</source>
        <translation>停止读取录制；已读取的头会保留</translation>
    </message>
    <message>
        <source>Reads the heads that are missing</source>
        <translation>读取缺少的头</translation>
    </message>
    <message>
        <source>%1: %2 layers × %3 heads × %4 tokens</source>
        <translation>%1：%2 层 × %3 个头 × %4 个词元</translation>
    </message>
    <message>
        <source>sequence %1</source>
        <translation>序列 %1</translation>
    </message>
    <message>
        <source>a head is named by its largest measure if that is at least 0.5</source>
        <translation>若最大的指标不小于 0.5，则以它命名该头</translation>
    </message>
    <message numerus="yes">
        <source>the sums of %1 of %n rows differ from 1 by more than rounding explains</source>
        <translation>
            <numerusform>%n 行中有 %1 行的和与 1 之差大于舍入误差</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headscope::RowBars</name>
    <message>
        <source>%1 (key %2)</source>
        <translation>%1（键 %2）</translation>
    </message>
    <message>
        <source>score %1</source>
        <translation>分数 %1</translation>
    </message>
    <message>
        <source>masked: %1</source>
        <translation>掩码后：%1</translation>
    </message>
    <message>
        <source>weight %1</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>without the mask %1</source>
        <translation>无掩码时 %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>scores · %1 · pale: masked</source>
        <translation>分数 · %1 · 浅色：被掩码</translation>
    </message>
    <message>
        <source>weights · %1 · grey: without the mask</source>
        <translation>权重 · %1 · 灰色：无掩码时</translation>
    </message>
    <message>
        <source>weights · %1</source>
        <translation>权重 · %1</translation>
    </message>
    <message>
        <source>masked after softmax %1</source>
        <translation>softmax 之后掩码 %1</translation>
    </message>
    <message>
        <source>Incorrect: masked after softmax · %1 · blue: correct</source>
        <translation>错误：softmax 之后掩码 · %1 · 蓝色：正确</translation>
    </message>
</context>
<context>
    <name>headscope::RowProgress</name>
    <message>
        <source>keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>maximum</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>old ×</source>
        <translation>旧值 ×</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>和</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>in the end</source>
        <translation>最终</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>so far</source>
        <translation>目前</translation>
    </message>
    <message>
        <source>maximum %1, old × %2, sum %3</source>
        <translation>最大值 %1，旧值 × %2，和 %3</translation>
    </message>
    <message>
        <source>dimension %1: %2</source>
        <translation>第 %1 维：%2</translation>
    </message>
</context>
<context>
    <name>headscope::Session</name>
    <message>
        <source>open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>start over</source>
        <translation>重新开始</translation>
    </message>
</context>
<context>
    <name>headscope::ShapeFlow</name>
    <message>
        <source>B: sequences of the batch · S: tokens of a sequence · E: embed_dim · H: num_heads · Dh: head_dim = E / H</source>
        <translation>B：批次中的序列数 · S：序列的词元数 · E：embed_dim · H：num_heads · Dh：head_dim = E / H</translation>
    </message>
    <message>
        <source>memory: %1</source>
        <translation>内存：%1</translation>
    </message>
    <message>
        <source>each</source>
        <translation>各</translation>
    </message>
    <message>
        <source>Expand the shapes</source>
        <translation>展开形状</translation>
    </message>
    <message>
        <source>Collapse the shapes</source>
        <translation>折叠形状</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>a view</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>not stored</source>
        <translation>不存储</translation>
    </message>
</context>
<context>
    <name>headscope::SpeedDialog</name>
    <message>
        <source>%L1×</source>
        <translation>%L1×</translation>
    </message>
    <message>
        <source>%1 (%L2 ms for %L3)</source>
        <translation>%1（%L2 ms 对 %L3）</translation>
    </message>
    <message>
        <source>%1 (%2 for %3)</source>
        <translation>%1（%2 对 %3）</translation>
    </message>
    <message>
        <source>Speed and memory</source>
        <translation>速度与内存</translation>
    </message>
    <message>
        <source>Lengths of a sequence, separated by commas</source>
        <translation>序列长度，用逗号分隔</translation>
    </message>
    <message>
        <source>How many cores may work at once</source>
        <translation>可同时使用多少个核心</translation>
    </message>
    <message>
        <source>A divisor of embed_dim</source>
        <translation>embed_dim 的约数</translation>
    </message>
    <message>
        <source>&amp;Tokens</source>
        <translation>词元(&amp;T)</translation>
    </message>
    <message>
        <source>T&amp;hreads</source>
        <translation>线程(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;embed_dim</source>
        <translation>&amp;embed_dim</translation>
    </message>
    <message>
        <source>&amp;num_heads</source>
        <translation>&amp;num_heads</translation>
    </message>
    <message>
        <source>&amp;Copy table</source>
        <translation>复制表格(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Save as CSV…</source>
        <translation>另存为 CSV(&amp;S)…</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>speed: claim</source>
        <translation>速度：声称</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>memory: claim</source>
        <translation>内存：声称</translation>
    </message>
    <message>
        <source>why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>停止(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Measure</source>
        <translation>测量(&amp;M)</translation>
    </message>
    <message>
        <source>Save as CSV</source>
        <translation>另存为 CSV</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>The first size is being measured.</source>
        <translation>正在测量第一个长度。</translation>
    </message>
    <message>
        <source>Nothing is measured yet. Press Measure; four sizes up to 2048 take about half a minute, and figures are steadiest while nothing else runs.</source>
        <translation>还没有测量。请按“测量”；到 2048 为止的四个长度大约需要半分钟，没有别的程序运行时数字最稳定。</translation>
    </message>
    <message>
        <source>Embedding size</source>
        <translation>嵌入大小</translation>
    </message>
    <message>
        <source>Claims tested: what is said of three ways to compute attention, beside what they give here. Plain attention is the same engine with the weights of all heads kept.</source>
        <translation>检验说法：关于三种注意力计算方法的说法，以及它们在这里的结果。普通注意力是同一引擎，保留所有头的权重。</translation>
    </message>
    <message>
        <source>method</source>
        <translation>方法</translation>
    </message>
</context>
<context>
    <name>headscope::SpeedPlot</name>
    <message>
        <source>milliseconds</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
</context>
<context>
    <name>headscope::StageBar</name>
    <message>
        <source>0 – 1</source>
        <translation>0 – 1</translation>
    </message>
    <message>
        <source>per head</source>
        <translation>按头</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共用</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>调色板</translation>
    </message>
    <message>
        <source>A mask is 0 or 1</source>
        <translation>掩码为 0 或 1</translation>
    </message>
    <message>
        <source>Each head from its least to its largest value</source>
        <translation>每个头从其最小值到最大值</translation>
    </message>
    <message>
        <source>One scale for all heads, from the least to the largest value</source>
        <translation>所有头共用一个色阶，从最小值到最大值</translation>
    </message>
    <message>
        <source>The other stages, from x to output</source>
        <translation>其他阶段，从 x 到 output</translation>
    </message>
    <message>
        <source>More stages</source>
        <translation>更多阶段</translation>
    </message>
    <message>
        <source>Which numbers the ends of the colours stand for</source>
        <translation>颜色两端代表的数值</translation>
    </message>
    <message>
        <source>More commands</source>
        <translation>更多命令</translation>
    </message>
    <message>
        <source>Only weights lie between 0 and 1; the colours of this stage are symmetric about 0</source>
        <translation>只有权重在 0 和 1 之间；此阶段的颜色以 0 对称</translation>
    </message>
    <message>
        <source>The same colour always means the same weight</source>
        <translation>相同的颜色总是表示相同的权重</translation>
    </message>
    <message>
        <source>Logarithmic down to one in a million: small weights become visible</source>
        <translation>对数刻度，低至百万分之一：小权重也能看见</translation>
    </message>
    <message>
        <source>Each head symmetric about 0, up to its own largest magnitude</source>
        <translation>每个头以 0 对称，直到它自己的最大绝对值</translation>
    </message>
    <message>
        <source>All heads symmetric about 0, up to the largest magnitude of any</source>
        <translation>所有头以 0 对称，直到其中最大的绝对值</translation>
    </message>
    <message>
        <source>Colour scale: %1</source>
        <translation>颜色刻度：%1</translation>
    </message>
    <message>
        <source>The range is that of a sample of the cells.</source>
        <translation>范围取自单元格的抽样。</translation>
    </message>
</context>
<context>
    <name>headscope::StageBox</name>
    <message>
        <source>shown in the grid</source>
        <translation>显示在网格中</translation>
    </message>
</context>
<context>
    <name>headscope::StepsPage</name>
    <message>
        <source>No cell is locked. Shown: %1 (query %2), %3 (key %4), head %5, the weight nearest to one half. Click a cell in a map to choose another.</source>
        <translation>没有锁定的单元格。显示的是 %1（查询 %2）、%3（键 %4）、头 %5，即最接近二分之一的权重。点击图中的单元格可另选。</translation>
    </message>
    <message>
        <source>Cell and row</source>
        <translation>单元格与行</translation>
    </message>
    <message>
        <source>How the weight of the locked cell was computed, and how the mask changed its row</source>
        <translation>锁定单元格的权重是怎样计算的，以及掩码怎样改变了它的行</translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>The same row computed chunk by chunk, with a running maximum and sum</source>
        <translation>分块计算同一行，使用滚动最大值和滚动和</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>The same head in float32, bfloat16, float16 and float64</source>
        <translation>同一个头在 float32、bfloat16、float16 和 float64 下</translation>
    </message>
    <message>
        <source>Steps shown</source>
        <translation>显示的步骤</translation>
    </message>
    <message>
        <source>Steps of one weight</source>
        <translation>一个权重的步骤</translation>
    </message>
    <message>
        <source>A recording has only weights. Explaining one requires the layer that computed it.</source>
        <translation>录制只有权重。要解释一个权重，需要计算它的层。</translation>
    </message>
</context>
<context>
    <name>headscope::StoryView</name>
    <message>
        <source>&amp;head</source>
        <translation>头(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;query</source>
        <translation>查询(&amp;Q)</translation>
    </message>
    <message>
        <source>ke&amp;y</source>
        <translation>键(&amp;Y)</translation>
    </message>
    <message>
        <source>Head of the explained cell</source>
        <translation>所解释单元格的头</translation>
    </message>
    <message>
        <source>The row: the token that attends</source>
        <translation>行：发出注意的词元</translation>
    </message>
    <message>
        <source>The column: the token that is attended to</source>
        <translation>列：被注意的词元</translation>
    </message>
    <message>
        <source>How its row was computed</source>
        <translation>它的行是怎样计算的</translation>
    </message>
    <message>
        <source>&amp;Incorrect: × 0 after the softmax</source>
        <translation>错误：softmax 之后 × 0(&amp;I)</translation>
    </message>
    <message>
        <source>A common mistake: the softmax runs over every key, and its masked weights are set to 0 afterwards. Then the row is not renormalised and no longer sums to 1.</source>
        <translation>常见的错误：softmax 对所有键计算，之后把被掩码的权重设为 0。这样该行没有重新归一化，和不再为 1。</translation>
    </message>
    <message>
        <source>Explanation of a cell and of its row</source>
        <translation>对一个单元格及其行的解释</translation>
    </message>
</context>
<context>
    <name>headscope::SummaryView</name>
    <message>
        <source>group by likeness</source>
        <translation>按相似度分组</translation>
    </message>
    <message>
        <source>Puts similar heads next to each other: by the Jensen-Shannon divergence of their rows, in bits, joined from the closest pair on</source>
        <translation>注意方式相似的头排在一起：依据各行的 Jensen-Shannon 散度（比特），从最接近的一对开始合并</translation>
    </message>
    <message>
        <source>Groups that are further apart than this stay apart: 0 = alike, 1 bit = never the same key</source>
        <translation>相距超过此值的组不合并：0 = 相同，1 比特 = 从不注意同一个键</translation>
    </message>
    <message>
        <source> bits</source>
        <translation> 比特</translation>
    </message>
    <message>
        <source>The weights of this sequence are being computed.</source>
        <translation>正在计算此序列的权重。</translation>
    </message>
    <message>
        <source>group %1</source>
        <translation>组 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n groups</source>
        <translation>
            <numerusform>%n 组</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1% of the weight: %2 of %3 cells (%4)</source>
        <translation>
            <numerusform>权重的 %1%：%3 个单元格中的 %2 个（%4）</numerusform>
        </translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>derived</source>
        <translation>派生</translation>
    </message>
    <message>
        <source>Head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>‹ All heads</source>
        <translation>‹ 所有头</translation>
    </message>
    <message>
        <source>Double-click or Enter enlarges the map, and makes it small again.</source>
        <translation>双击或按 Enter 放大该图，再次操作则还原。</translation>
    </message>
    <message numerus="yes">
        <source>Mean of %n heads: derived, nn.MultiheadAttention returns this by default</source>
        <translation>
            <numerusform>%n 个头的平均：派生结果，nn.MultiheadAttention 默认返回它</numerusform>
        </translation>
    </message>
    <message>
        <source>wheel to zoom · double-click for all heads</source>
        <translation>滚轮缩放 · 双击返回所有头</translation>
    </message>
    <message>
        <source>double-click to enlarge</source>
        <translation>双击放大</translation>
    </message>
    <message>
        <source>group threshold</source>
        <translation>分组阈值</translation>
    </message>
    <message>
        <source>top weight</source>
        <translation>最大权重</translation>
    </message>
    <message>
        <source>Fades all but the fewest cells that hold this part of each row&apos;s weight</source>
        <translation>淡化其余单元格，只留下合起来占每行这部分权重的最少单元格</translation>
    </message>
    <message>
        <source>Part of each row&apos;s weight that is not faded</source>
        <translation>每行权重中不淡化的部分</translation>
    </message>
    <message>
        <source>Atlas of the heads</source>
        <translation>头的图集</translation>
    </message>
    <message>
        <source>Reading the weights of every head …</source>
        <translation>正在读取每个头的权重…</translation>
    </message>
    <message>
        <source>numbers from a sample of %1 rows</source>
        <translation>数值取自抽样的 %1 行</translation>
    </message>
</context>
<context>
    <name>headscope::TaskView</name>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Reveal</source>
        <translation>揭晓</translation>
    </message>
    <message>
        <source>Show the answer</source>
        <translation>显示答案</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>正确。</translation>
    </message>
    <message>
        <source>Right: 100% of the cells.</source>
        <translation>正确：100% 的单元格。</translation>
    </message>
    <message>
        <source>%1%: %2 of %3 cells are wrong.</source>
        <translation>%1%：%3 个单元格中有 %2 个错误。</translation>
    </message>
    <message>
        <source>This is the answer.</source>
        <translation>这就是答案。</translation>
    </message>
    <message>
        <source>Not correct. The answer is: %1</source>
        <translation>不对。答案是：%1</translation>
    </message>
    <message>
        <source>%1% of the weight is on other keys than predicted.</source>
        <translation>有 %1% 的权重落在与预测不同的键上。</translation>
    </message>
    <message>
        <source> Your mask: %1.</source>
        <translation> 你的掩码：%1。</translation>
    </message>
</context>
<context>
    <name>headscope::ThumbnailGrid</name>
    <message>
        <source>Heads of the recording</source>
        <translation>录制的头</translation>
    </message>
</context>
<context>
    <name>headscope::TileOverlay</name>
    <message>
        <source>%1 skipped</source>
        <translation>跳过 %1</translation>
    </message>
</context>
<context>
    <name>headscope::TokenChips</name>
    <message>
        <source>Tokens by sequence</source>
        <translation>各序列的词元</translation>
    </message>
    <message>
        <source>Sequence %1 of %2: %3</source>
        <translation>序列 %1，共 %2 个：%3</translation>
    </message>
    <message>
        <source>token %1: %2</source>
        <translation>词元 %1：%2</translation>
    </message>
    <message>
        <source>Shows sequence %1 (Up and Down do, too)</source>
        <translation>显示序列 %1（也可用上、下方向键）</translation>
    </message>
    <message>
        <source>type a sentence here</source>
        <translation>在这里输入一句话</translation>
    </message>
    <message>
        <source>Sequence %1</source>
        <translation>序列 %1</translation>
    </message>
</context>
<context>
    <name>headscope::TokenEditor</name>
    <message>
        <source>Sentences, one on each line</source>
        <translation>句子，每行一个</translation>
    </message>
    <message>
        <source>Type a sentence, one on each line, such as: the cat sat on the mat</source>
        <translation>输入句子，每行一个，例如：the cat sat on the mat</translation>
    </message>
    <message>
        <source>Every line is one sequence. Shorter ones are filled up with [PAD]; a [PAD] can be typed, too.</source>
        <translation>每行是一个序列。较短的用 [PAD] 补齐；也可以直接输入 [PAD]。</translation>
    </message>
</context>
<context>
    <name>headscope::TokenStrip</name>
    <message>
        <source>type a sentence here</source>
        <translation>在这里输入一句话</translation>
    </message>
    <message>
        <source>✎ edit as text</source>
        <translation>✎ 作为文本编辑</translation>
    </message>
    <message>
        <source>All sequences in an editor of several lines</source>
        <translation>在多行编辑器中编辑所有序列</translation>
    </message>
    <message>
        <source>+ sequence</source>
        <translation>+ 序列</translation>
    </message>
    <message>
        <source>Adds a line below: each line is one sequence</source>
        <translation>在下方添加一行：每行是一个序列</translation>
    </message>
    <message>
        <source>How a line is split</source>
        <translation>一行怎样切分</translation>
    </message>
    <message>
        <source>How a line becomes tokens: at white space; as words, with punctuation apart; or by characters, spaces too. [PAD] stays whole.</source>
        <translation>一行怎样变成词元：按空白切分；按单词切分，标点单独；或按字符切分，包括空格。[PAD] 保持完整。</translation>
    </message>
    <message>
        <source>split at white space</source>
        <translation>按空白切分</translation>
    </message>
    <message>
        <source>split into words</source>
        <translation>按单词切分</translation>
    </message>
    <message>
        <source>split into characters</source>
        <translation>按字符切分</translation>
    </message>
    <message>
        <source>Read only: the tokens are those of %1</source>
        <translation>只读：这些是 %1 的词元</translation>
    </message>
    <message>
        <source>Tokens as text</source>
        <translation>词元文本</translation>
    </message>
    <message>
        <source>Sequence %1</source>
        <translation>序列 %1</translation>
    </message>
    <message>
        <source>No font for %1</source>
        <translation>没有 %1 的字体</translation>
    </message>
</context>
<context>
    <name>headscope::Transport</name>
    <message>
        <source>tile %1 of %2</source>
        <translation>第 %1 块，共 %2 块</translation>
    </message>
    <message>
        <source>First tile (Home)</source>
        <translation>第一块 (Home)</translation>
    </message>
    <message>
        <source>Previous tile (Left)</source>
        <translation>上一块 (Left)</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Stop here (Space)</source>
        <translation>停在这里 (空格)</translation>
    </message>
    <message>
        <source>Go through the tiles one by one (Space)</source>
        <translation>逐块播放 (空格)</translation>
    </message>
    <message>
        <source>Next tile (Right)</source>
        <translation>下一块 (Right)</translation>
    </message>
    <message>
        <source>Last tile (End)</source>
        <translation>最后一块 (End)</translation>
    </message>
    <message>
        <source>The tile that is shown</source>
        <translation>显示的块</translation>
    </message>
</context>
<context>
    <name>headscope::WeightsSection</name>
    <message>
        <source>Seeded</source>
        <translation>由种子生成</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>weights file</source>
        <translation>权重文件</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>Choose a weights file</source>
        <translation>选择权重文件</translation>
    </message>
    <message>
        <source>Choose another file</source>
        <translation>选择其他文件</translation>
    </message>
    <message>
        <source>by the names</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>interleaved by head</source>
        <translation>按头交错</translation>
    </message>
    <message>
        <source>[Q; K; V] blocks</source>
        <translation>[Q; K; V] 分块</translation>
    </message>
    <message>
        <source>blocks, transposed</source>
        <translation>分块，转置</translation>
    </message>
    <message>
        <source>separate</source>
        <translation>分开</translation>
    </message>
    <message>
        <source>layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>The layout of the file&apos;s fused weights. All layouts have the same shape, so only the tensors&apos; names distinguish them; choose here if the names mislead.</source>
        <translation>文件中融合权重的布局。所有布局形状相同，只能靠张量名称区分；名称有误导时请在此选择。</translation>
    </message>
    <message>
        <source>layo&amp;ut</source>
        <translation>布局(&amp;U)</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Open weights</source>
        <translation>打开权重</translation>
    </message>
    <message>
        <source>&amp;weights</source>
        <translation>权重(&amp;W)</translation>
    </message>
    <message>
        <source>With head_dim %1 these roles blur within %2 tokens: %3. With num_heads %4, embed_dim %5 is large enough.</source>
        <translation>head_dim 为 %1 时，以下角色在 %2 个词元内变得模糊：%3。num_heads 为 %4 时，embed_dim %5 足够大。</translation>
    </message>
    <message>
        <source>Textbook</source>
        <translation>教科书式</translation>
    </message>
    <message>
        <source>Textbook heads are built by formula so that each of eight heads has a known role. Seeded weights are those of torch.manual_seed(seed). A weights file (safetensors or npz) or a model&apos;s folder contains layers of a real model, or attention that another program recorded.</source>
        <translation>教科书头由公式构造，八个头各有已知的角色。种子权重即 torch.manual_seed(seed) 的权重。权重文件（safetensors 或 npz）或模型文件夹包含真实模型的层，或由其他程序录制的注意力。</translation>
    </message>
    <message>
        <source>la&amp;yer</source>
        <translation>层(&amp;Y)</translation>
    </message>
    <message>
        <source>The layers of the file, by their number and the prefix of their names. Only the bytes of the chosen one are read.</source>
        <translation>文件中的层，以编号和名称前缀表示。只读取所选层的字节。</translation>
    </message>
    <message>
        <source>Python that records x…</source>
        <translation>录制 x 的 Python…</translation>
    </message>
    <message>
        <source>Lines to copy: they run the model and save the input of this layer beside its weights</source>
        <translation>可复制的代码：运行模型，并将此层的输入与其权重一起保存</translation>
    </message>
    <message>
        <source>Typed tokens feed this layer, with vectors that are drawn from the seed.</source>
        <translation>此层的输入是键入的词元，其向量由种子抽取。</translation>
    </message>
    <message>
        <source>For what the model computes on a text, a recorded x is needed.</source>
        <translation>要得到模型在一段文本上的计算结果，需要录制的 x。</translation>
    </message>
    <message>
        <source>Its input in the model is the output of the layers before it: for what the model computes on a text, a recorded x is needed.</source>
        <translation>它在模型中的输入是前面各层的输出：要得到模型在一段文本上的计算结果，需要录制的 x。</translation>
    </message>
    <message>
        <source>Weights (*.safetensors *.npz *.index.json);;All files (*)</source>
        <translation>权重 (*.safetensors *.npz *.index.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>recorded attention: the weights of another program, without the layer that computed them; under a mask they are renormalised</source>
        <translation>录制的注意力：其他程序的权重，不含计算它们的层；在掩码下会重新归一化</translation>
    </message>
</context>
</TS>
