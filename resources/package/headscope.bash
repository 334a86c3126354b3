# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion of headscope. Completes the options and values that headscope --help lists.

_headscope() {
    local cur prev words cword split
    _init_completion -s || return
    local command= help
    [[ $cword -gt 1 && ${words[1]} == @(export|bench) ]] && command=${words[1]}
    case $prev in
        --tokens-file)
            _filedir
            return
            ;;
        --describe)
            _filedir '@(safetensors|npz|json)'
            return
            ;;
        --check-mask)
            _filedir '@(npy|csv|tsv|json)'
            return
            ;;
        --weights)
            _filedir '@(safetensors|npz|json)'
            COMPREPLY+=($(compgen -W 'textbook seed' -- "$cur"))
            return
            ;;
    esac
    help=$(headscope $command --help 2>/dev/null)
    if [[ $prev == --?* ]]; then
        # "of masked cells: safe, inf, 1e9 (safe)"
        local line=$(sed -n "s/^  $prev NAME *//p" <<<"$help")
        line=${line#*: }
        line=${line%%(*}
        COMPREPLY=($(compgen -W "${line//,/ }" -- "$cur"))
        $split || [[ $(sed -n "s/^  $prev \([A-Z]\).*/\1/p" <<<"$help") ]] && return
    fi
    $split && return
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$(sed -n 's/^  \(--[a-z-]*\).*/\1/p' <<<"$help") --help --version" -- "$cur"))
        return
    fi
    if [[ $command == export ]]; then
        _filedir '@(png|svg|pdf|csv|json|npz|safetensors|py)'
    elif [[ -z $command && $cword -eq 1 ]]; then
        _filedir '@(safetensors|headscope)'
        COMPREPLY+=($(compgen -W 'export bench' -- "$cur"))
    fi
} &&
    complete -F _headscope headscope
